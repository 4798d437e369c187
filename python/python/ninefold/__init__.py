"""Solves, checks, rates and generates Sudoku puzzles.

>>> import ninefold
>>> ninefold.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
'534678912672195348198342567859761423426853791713924856961537284287419635345286179'

Each function on a string has a sibling for arrays, `solve_array` for `solve`: it takes any Arrow
array or stream (of pyarrow, polars, pandas 3, DuckDB, …) or a numpy array, and solves millions of
puzzles a second. The package itself needs none of these libraries.
"""

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
    Array,
    ArrayStream,
    Bank,
    Isomorphism,
    __version__,
    augment_array,
    canonical,
    canonical_array,
    count,
    count_array,
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
    verify,
    verify_array,
)
from ._rating import Rating

__all__ = [
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
    "SudokuError",
    "WrongAnswerError",
    "WrongTypeError",
    "__version__",
    "augment_array",
    "canonical",
    "canonical_array",
    "count",
    "count_array",
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
    "verify",
    "verify_array",
]
