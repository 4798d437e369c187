"""Solves, checks, rates and generates Sudoku puzzles.

>>> import ninefold
>>> ninefold.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
'534678912672195348198342567859761423426853791713924856961537284287419635345286179'

Each function on a string has a sibling for arrays, `solve_array` for `solve`: it takes any Arrow
array or stream (of pyarrow, polars, pandas 3, DuckDB, …) or a numpy array, and solves millions of
puzzles a second. The package itself needs none of these libraries.
"""

import importlib
from typing import TYPE_CHECKING

from ._errors import (
    ArrayError,
    ConflictError,
    IncompleteError,
    MalformedError,
    MultipleSolutionsError,
    NoSolutionError,
    PuzzleError,
    SudokuError,
    WrongAnswerError,
    WrongTypeError,
)
from ._ninefold import (
    TECHNIQUES,
    Array,
    ArrayStream,
    Bank,
    Isomorphism,
    __version__,
    augment_array,
    candidates_array,
    canonical,
    canonical_array,
    count,
    count_array,
    evaluate,
    generate,
    generate_array,
    is_unique,
    is_unique_array,
    isomorphism,
    isomorphism_array,
    minimize_array,
    neighbors_array,
    rate,
    rate_array,
    solutions,
    solutions_array,
    solve,
    solve_array,
    split_array,
    steps,
    steps_array,
    texts,
    tokens,
    verify,
    verify_array,
)
from ._rating import Rating
from ._steps import Step, StepArrays

__all__ = [
    "TECHNIQUES",
    "Array",
    "ArrayError",
    "ArrayStream",
    "Bank",
    "ConflictError",
    "IncompleteError",
    "Isomorphism",
    "MalformedError",
    "MultipleSolutionsError",
    "NoSolutionError",
    "PuzzleError",
    "Rating",
    "Step",
    "StepArrays",
    "SudokuError",
    "WrongAnswerError",
    "WrongTypeError",
    "__version__",
    "augment_array",
    "candidates_array",
    "canonical",
    "canonical_array",
    "count",
    "count_array",
    "evaluate",
    "generate",
    "generate_array",
    "is_unique",
    "is_unique_array",
    "isomorphism",
    "isomorphism_array",
    "minimize_array",
    "neighbors_array",
    "rate",
    "rate_array",
    "solutions",
    "solutions_array",
    "solve",
    "solve_array",
    "split_array",
    "steps",
    "steps_array",
    "texts",
    "tokens",
    "verify",
    "verify_array",
]

if TYPE_CHECKING:
    from . import dask, datasets, duckdb, polars, ray, spark
else:

    def __getattr__(name):
        """The modules for other libraries are imported when they are used: `ninefold.polars`."""
        if name in ("dask", "datasets", "duckdb", "polars", "ray", "spark"):
            return importlib.import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
