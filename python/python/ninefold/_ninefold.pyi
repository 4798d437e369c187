from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, TypeAlias, final, overload

from ._rating import Rating
from ._steps import Step, StepArrays

__all__ = [
    "TECHNIQUES",
    "Array",
    "ArrayStream",
    "Bank",
    "Isomorphism",
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

TECHNIQUES: tuple[str, ...]
__version__: str

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

# A buffer has no type in typing before Python 3.12, so a numpy array or a tensor is recognized by its
# shape.
class _Buffer(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def itemsize(self) -> int: ...

# A pandas array.
class _Extension(Protocol):
    @property
    def nbytes(self) -> int: ...
    def isna(self) -> Any: ...

# A bar of tqdm.
class _Bar(Protocol):
    def update(self, n: int, /) -> object: ...

_Puzzles: TypeAlias = _ArrowArray | _ArrowStream | _Buffer | _Extension | list[Any] | tuple[Any, ...]
_Progress: TypeAlias = bool | _Bar | None
_Change: TypeAlias = Literal["digits", "rows", "columns", "transpose"]
_Group: TypeAlias = Literal["form", "solution", "row"]
_Same: TypeAlias = Literal["exact", "isomorphic"]
_Form: TypeAlias = Literal["minlex", "solution"]
_Measure: TypeAlias = Literal["effort", "er", "grade", "backdoor"]
_Grade: TypeAlias = Literal["naked-singles", "singles", "locked-candidates", "search"]
_Symmetry: TypeAlias = Literal[
    "none",
    "rotate",
    "quarter",
    "mirror",
    "flip",
    "mirrors",
    "diagonal",
    "antidiagonal",
    "diagonals",
    "full",
]

@final
class Array:
    """An Arrow array: pass it to `pyarrow.array`, `polars.Series`, `pandas.Series.from_arrow`, …

    It keeps the Arrow C data interface, `__arrow_c_array__`.
    """

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[Any, Any]: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    @overload
    def __getitem__(self, key: int, /) -> Any: ...
    @overload
    def __getitem__(self, key: str | slice, /) -> Array: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _restored(pickled: Any) -> Array: ...
    def _lists(self) -> list[Any]: ...
    @property
    def _is_text(self) -> bool: ...
    def to_pylist(self) -> list[Any]:
        """The values as Python objects: `None` for a null."""

@final
class ArrayStream:
    """A stream of Arrow arrays: pass it to `pyarrow.chunked_array`, `polars.Series`, …, or iterate.

    It keeps the Arrow C stream interface, `__arrow_c_stream__`. Nothing is solved before it is
    consumed, and it can be consumed once: after that it raises an `ArrayError`.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __next__(self) -> Array: ...
    def to_pylist(self) -> list[Any]:
        """All values as Python objects: `None` for a null."""

@final
class Bank:
    """Puzzles in which others are looked for: for leaks between data sets, and for duplicates.

    It can be pickled and sent to workers; equal banks have equal pickles. It takes 34 to 38 bytes for each
    different puzzle. Nulls and malformed rows are places without a puzzle. Malformed rows are counted in
    `malformed`, with a warning; a bank without any puzzle of its rows is an `ArrayError`.

    Args:
        puzzles: As in `solve_array`.
        same: "isomorphic", up to symmetry, or "exact", the same clues in the same cells.
        column: The name of the column.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Example:
        >>> import ninefold
        >>> bank = ninefold.Bank(["1" + "." * 80, "12" + "." * 79, "." * 80 + "5"])
        >>> len(bank), "7" + "." * 80 in bank
        (2, True)
        >>> bank.contains_array(["7" + "." * 80, "1" * 81])
        [True, False]
        >>> bank.first_array(["." * 9 + "34" + "." * 70, "." * 81])
        [1, -1]
        >>> bank.add_array(["5" + "." * 80, "." * 81, "." * 81])
        [False, True, False]
    """

    def __new__(
        cls,
        puzzles: _Puzzles,
        *,
        same: _Same = "isomorphic",
        column: str | None = None,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Bank: ...
    def add_array(
        self,
        puzzles: _Puzzles,
        *,
        column: str | None = None,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Any:
        """Adds puzzles, and tells which are new.

        Arguments as in `solve_array`. Their rows are counted on from those before. A stream is consumed.

        Returns:
            bool, false for a malformed puzzle. Null for a null.
        """
    def contains_array(
        self,
        puzzles: _Puzzles,
        *,
        column: str | None = None,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Any:
        """Tells which puzzles the bank has.

        Arguments as in `solve_array`.

        Returns:
            bool, false for a malformed puzzle. Null for a null.
        """
    def first_array(
        self,
        puzzles: _Puzzles,
        *,
        column: str | None = None,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Any:
        """Finds the row of each puzzle in the bank, the first one, counted from 0.

        Arguments as in `solve_array`.

        Returns:
            int64, -1 if the bank does not have it. Null for a null.
        """
    @property
    def malformed(self) -> int:
        """The number of rows so far that were not puzzles."""
    def __contains__(self, key: str, /) -> bool: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _restored(bytes: bytes, malformed: int) -> Bank: ...

@final
class Isomorphism:
    """A transformation that keeps the rules: other digits, rows and columns, perhaps a transposition.

    Example:
        >>> import ninefold
        >>> map = ninefold.isomorphism("1" + "." * 80, "." * 80 + "9")
        >>> map.apply("1" + "." * 80) == "." * 80 + "9"
        True
        >>> map.inverse().apply("." * 80 + "9") == "1" + "." * 80
        True
    """

    @staticmethod
    def parse(text: str) -> Isomorphism:
        """Reads the text of a transformation, as `str` writes it.

        Example:
            >>> import ninefold
            >>> ninefold.Isomorphism.parse("t0 r123456789 c123456789 d213456789").digits[:2]
            [2, 1]
        """
    @staticmethod
    def random(seed: int) -> Isomorphism:
        """A random transformation, uniformly distributed.

        Example:
            >>> import ninefold
            >>> ninefold.Isomorphism.random(1) == ninefold.Isomorphism.random(1)
            True
        """
    def apply(self, puzzle: str) -> str:
        """The puzzle that another becomes."""
    def apply_array(
        self,
        puzzles: _Puzzles,
        *,
        column: str | None = None,
        details: bool = False,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Any:
        """The puzzles of an array that others become.

        Arguments as in `solve_array`.

        Returns:
            The puzzles in the type of the input, empty (or zeros) for a malformed puzzle; with `details`, a
            struct of `puzzle`, `status` ("mapped" or "malformed") and `reason`.
        """
    def inverse(self) -> Isomorphism:
        """The transformation that undoes this one."""
    def then(self, next: Isomorphism) -> Isomorphism:
        """This transformation, and then the next."""
    @property
    def transposed(self) -> bool:
        """Whether rows and columns are exchanged first."""
    @property
    def rows(self) -> list[int]:
        """The row, 0 to 8, that each row comes from."""
    @property
    def columns(self) -> list[int]:
        """The column, 0 to 8, that each column comes from."""
    @property
    def digits(self) -> list[int]:
        """What each of the digits 1 to 9 becomes."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def solve(puzzle: str) -> str:
    """Solves a puzzle: 81 cells in a string, 1 to 9 for a clue and . 0 _ * or - for a blank, or the 729
    pencilmarks of a sukaku.

    If there are several solutions, one of them is returned, always the same; see `is_unique`.

    Raises:
        MalformedError: The string is not a puzzle.
        ConflictError: A digit is given twice in a row, column or box.
        NoSolutionError: The puzzle has no solution.

    Example:
        >>> import ninefold
        >>> ninefold.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
        '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
    """
def count(puzzle: str, limit: int) -> int:
    """Counts the solutions of a puzzle, up to a limit. A puzzle with conflicting clues has none.

    Raises:
        MalformedError: The string is not a puzzle.

    Example:
        >>> import ninefold
        >>> ninefold.count("." * 81, 1000)
        1000
    """
def is_unique(puzzle: str) -> bool:
    """Tells whether a puzzle has exactly one solution.

    Raises:
        MalformedError: The string is not a puzzle.

    Example:
        >>> import ninefold
        >>> ninefold.is_unique("." * 81)
        False
    """
def solutions(puzzle: str, limit: int) -> list[str]:
    """Lists the first solutions of a puzzle in lexicographic order, up to a limit.

    Raises:
        MalformedError: The string is not a puzzle.

    Example:
        >>> import ninefold
        >>> [solution[:27] for solution in ninefold.solutions("." * 81, 2)]
        ['123456789456789123789123456', '123456789456789123789123456']
    """
def canonical(puzzle: str, form: _Form = "minlex") -> str:
    """The canonical form of a puzzle: isomorphic puzzles have the same one, others do not.

    Args:
        puzzle: The puzzle.
        form: "minlex", the least isomorphic puzzle read as a number, for any grid; or "solution",
            the clues under the map that takes the solution to its minlex form.

    Raises:
        MalformedError: The string is not a puzzle, or a sukaku, which has no minlex form.
        ConflictError, NoSolutionError, MultipleSolutionsError: The form "solution" needs a puzzle
            with one solution.

    Example:
        >>> import ninefold
        >>> ninefold.canonical("7" + "." * 80) == "." * 80 + "1"
        True
    """
def isomorphism(puzzle: str, other: str) -> Isomorphism | None:
    """Finds a map from one puzzle to another that differs in looks only: other digits, rows, columns,
    perhaps transposed. `None` if there is none.

    Raises:
        MalformedError: A string is not a grid of 81 cells.

    Example:
        >>> import ninefold
        >>> str(ninefold.isomorphism("1" + "." * 80, "." * 80 + "9"))[-10:]
        'd912345678'
        >>> ninefold.isomorphism("." * 81, "1" + "." * 80) is None
        True
    """
def rate(
    puzzle: str,
    *,
    measures: _Measure | Sequence[_Measure] | None = None,
    shuffles: int = 10,
    seed: int = 1,
    max_er: float | None = None,
) -> Rating:
    """Measures the difficulty of a puzzle with one solution. A sukaku has a rating, but no effort and no grade.

    Args:
        puzzle: The puzzle.
        measures: One or more of "effort", "er", "grade" and "backdoor"; the first three if not given.
        shuffles: The number of transformations over which `effort` is the mean.
        seed: The seed of these transformations.
        max_er: The greatest score wanted. A puzzle above it has no `er`, and `reason` says so.

    Raises:
        MalformedError: The string is not a puzzle.
        ConflictError, NoSolutionError, MultipleSolutionsError: There is not one solution.

    Example:
        >>> import ninefold
        >>> rating = ninefold.rate("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
        >>> rating.er, rating.technique, rating.grade
        (1.2, 'hidden-single-box', 'naked-singles')
    """
def steps(puzzle: str, *, boards: bool = False) -> list[Step]:
    """Lists the steps that solve a puzzle: each uses the easiest technique of Sudoku Explainer 1.2.1 that finds
    something.

    Args:
        puzzle: The puzzle, or a sukaku.
        boards: Add the grid after each step that places a digit.

    Returns:
        A dictionary for each step: `technique`, `score`; `cells` and `digits` that it is about;
        `eliminations`, candidates as "r2c3<>4"; `placement`, "r2c3=4" or `None`; `chains`, lists of nodes;
        and `board`. `ninefold steps --format jsonl` writes them likewise.

    Raises:
        MalformedError: The string is not a puzzle.
        ConflictError, NoSolutionError, MultipleSolutionsError: There is not one solution.

    Example:
        >>> import ninefold
        >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
        >>> steps = ninefold.steps(puzzle)
        >>> steps[0]["technique"], steps[0]["score"], steps[0]["placement"]
        ('hidden-single-box', 1.2, 'r1c6=8')
    """
def verify(puzzle: str, answer: str) -> Literal[True]:
    """Checks that an answer is a solution of a puzzle: full, legal, and with every clue.

    Nothing is solved: whether it is the only solution is not checked (see `is_unique`).

    Returns:
        True. A wrong answer raises.

    Raises:
        WrongAnswerError: The answer is wrong; the message says where.
        MalformedError: The puzzle or the answer is not 81 cells.

    Example:
        >>> import ninefold
        >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
        >>> ninefold.verify(puzzle, ninefold.solve(puzzle))
        True
        >>> ninefold.verify(puzzle, puzzle)
        Traceback (most recent call last):
        ...
        ninefold.WrongAnswerError: wrong answer: row 1 column 3 is blank
    """
def generate(
    n: int,
    *,
    seed: int = 1,
    clues: int | Sequence[int] | None = None,
    symmetry: _Symmetry = "none",
    pattern: str | None = None,
    minimal: bool = False,
    grade: _Grade | None = None,
    er: float | Sequence[float | None] | None = None,
    technique: str | None = None,
    uses: str | None = None,
    threads: int = 1,
    progress: _Progress = None,
) -> list[str]:
    """Makes puzzles, each with exactly one solution. The same seed gives the same puzzles, and the same
    as `ninefold generate --seed`. Calls with different requests have unrelated solution grids, even with the same
    seed.

    Args:
        n: How many puzzles.
        seed: The seed of all random numbers.
        clues: The number of clues, or the fewest and the most. Without it, puzzles are minimal: no
            clue is redundant.
        symmetry: The symmetry of the cells that have a clue: "none", "rotate", "quarter", "mirror",
            "flip", "mirrors", "diagonal", "antidiagonal", "diagonals" or "full".
        pattern: The cells that have a clue: 81 characters, "x" or a digit for a clue.
        minimal: No clue is redundant, also with `clues` or a grade.
        grade: The simplest list of rules that solves them: "naked-singles", "singles",
            "locked-candidates" or "search".
        er: The Explainer rating, as `rate` has it: a score, or the least and the greatest; None is no bound.
        technique: The technique of the hardest step, one of `TECHNIQUES`.
        uses: A technique that one of the steps uses, as `steps` finds them.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Raises:
        IncompleteError: Not all could be made; its `puzzles` are those that were made.
        KeyboardInterrupt: Ctrl-C was pressed; its `puzzles` are those that were made so far.

    Example:
        >>> import ninefold
        >>> ninefold.generate(1, seed=1) == ninefold.generate(2, seed=1)[:1]
        True
    """

# The result is an `Array` for an array, an `ArrayStream` for a stream, and an object of the same library
# for pandas, numpy, torch and lists. pandas has streams, too, and the others are not typed without their
# libraries: for these it is `Any`.
@overload
def solve_array(puzzles: list[Any], *, column: str | None = None, limit: int = 1, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Solves the puzzles of an array.

    Args:
        puzzles: An Arrow array or stream (of pyarrow, polars, pandas 3, `DuckDB`, …) of strings or
            binary values, a list of strings, or a numpy array of integers with shape (n, 81) or
            (n, 9, 9), 0 for a blank. Of a table, the column `column`; without it the only column, or
            the column "puzzle".
        column: The name of the column.
        limit: How many solutions to look for: 1 solves, 2 also proves that there is just one. A
            puzzle with more than one solution then has none.
        details: Return a struct of `solution`, `status`, `solutions` and `reason`.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Returns:
        The solutions, in the type of the input: an `Array` for an array, an `ArrayStream` for a
        stream, a series with the same index for pandas, a numpy array for a numpy array, a list for a
        list. A null stays null. A puzzle without a solution has
        an empty string; in a type of fixed size, zeros. With `details`, a struct whose `status` is
        "solved" ("unique" if the limit is 2 or more), "multiple", "none", "conflict" or "malformed".

    Example:
        >>> import ninefold, pyarrow
        >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
        >>> pyarrow.array(ninefold.solve_array(puzzles))[0].as_py()[:9]
        '534678912'
    """
@overload
def solve_array(puzzles: _ArrowArray, *, column: str | None = None, limit: int = 1, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def solve_array(puzzles: _Puzzles, *, column: str | None = None, limit: int = 1, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def count_array(puzzles: list[Any], limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Counts the solutions of the puzzles of an array, up to a limit.

    Arguments as in `solve_array`.

    Returns:
        int64, -1 for a malformed puzzle; with `details`, a struct of `count`, `status` and `reason`.

    Example:
        >>> import ninefold, pyarrow
        >>> ninefold.count_array(pyarrow.array(["." * 81, None]), 5).to_pylist()
        [5, None]
    """
@overload
def count_array(puzzles: _ArrowArray, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def count_array(puzzles: _Puzzles, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def is_unique_array(puzzles: list[Any], *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Tells which puzzles of an array have exactly one solution.

    Arguments as in `solve_array`.

    Returns:
        bool, false for a malformed puzzle; with `details`, a struct of `unique`, `status` and
        `reason`.

    Example:
        >>> import ninefold, pyarrow
        >>> ninefold.is_unique_array(pyarrow.array(["." * 81, None])).to_pylist()
        [False, None]
    """
@overload
def is_unique_array(puzzles: _ArrowArray, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def is_unique_array(puzzles: _Puzzles, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def solutions_array(puzzles: list[Any], limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Lists the solutions of the puzzles of an array, up to a limit each, in lexicographic order.

    Arguments as in `solve_array`.

    Returns:
        Lists of texts of the type of the input, empty for a malformed puzzle; with `details`, a
        struct of `solutions`, `status` and `reason`.

    Example:
        >>> import ninefold, pyarrow
        >>> len(ninefold.solutions_array(pyarrow.array(["." * 81]), 3).to_pylist()[0])
        3
    """
@overload
def solutions_array(puzzles: _ArrowArray, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def solutions_array(puzzles: _Puzzles, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def neighbors_array(puzzles: list[Any], *, minus: int = 1, plus: int = 1, pattern: Literal["same"] | None = None, minimal: bool = False, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Lists the neighbors of the puzzles of an array: all puzzles with one solution that lack `minus` of its clues
    and have `plus` others.

    A removed cell may get another digit. Arguments as in `solve_array`, and:

    Args:
        minus: How many clues are removed, 0 to 5.
        plus: How many are added, 0 to 5.
        pattern: "same" adds the clues in the removed cells; `minus` and `plus` must be equal.
        minimal: Only minimal puzzles.

    Returns:
        Lists of texts of the type of the input, sorted; empty for a puzzle that does not have exactly one
        solution. With `details`, a struct of `neighbors`, `status` ("unique", "multiple", "none",
        "conflict", "sukaku" or "malformed") and `reason`.

    Example:
        >>> import ninefold, pyarrow
        >>> puzzle = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
        >>> len(ninefold.neighbors_array(pyarrow.array([puzzle])).to_pylist()[0])
        3
    """
@overload
def neighbors_array(puzzles: _ArrowArray, *, minus: int = 1, plus: int = 1, pattern: Literal["same"] | None = None, minimal: bool = False, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def neighbors_array(puzzles: _Puzzles, *, minus: int = 1, plus: int = 1, pattern: Literal["same"] | None = None, minimal: bool = False, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def minimize_array(puzzles: list[Any], *, which: Literal["one", "fewest", "all"] = "one", max: int = 1000, seed: int = 1, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Lists minimal puzzles inside the puzzles of an array: puzzles with one solution of which no clue is redundant.

    Arguments as in `solve_array`, and:

    Args:
        which: "one" tries clues in an order that depends on `seed` and the puzzle; "fewest" lists one with
            the fewest clues, "all" all, but no more than `max`.
        max: The most puzzles of each row, for "all".
        seed: The seed, for "one".

    Returns:
        Lists of texts of the type of the input; empty for a puzzle that does not have exactly one solution.
        With `details`, a struct of `minimal`, `status` ("minimal", "more" if there are more than `max`,
        "multiple", "none", "conflict", "sukaku" or "malformed") and `reason`.

    Example:
        >>> import ninefold, pyarrow
        >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
        >>> [81 - it.count(".") for it in ninefold.minimize_array(puzzles, which="fewest").to_pylist()[0]]
        [20]
    """
@overload
def minimize_array(puzzles: _ArrowArray, *, which: Literal["one", "fewest", "all"] = "one", max: int = 1000, seed: int = 1, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def minimize_array(puzzles: _Puzzles, *, which: Literal["one", "fewest", "all"] = "one", max: int = 1000, seed: int = 1, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def evaluate(puzzles: _Puzzles, predictions: _Puzzles | None = None, answers: _Puzzles | None = None, *, by: Any = None, column: str | None = None, prediction_column: str | None = None, answer_column: str | None = None, details: Literal[False] = False, threads: int = 1, progress: _Progress = None) -> dict[str, Any]:
    """Tells how good predictions are, such as those of a model.

    The truth of a row is its answer, if answers are given and this one is right by the rules; else the only solution of
    the puzzle, which is searched. A row has no score if its truth is not known or no cell is blank.

    A prediction is 81 cells. White space around a text is ignored. A cell that is no digit is blank, and so wrong. A
    prediction that is null, or has another length, is missing: none of its cells is right.

    Args:
        puzzles: As in `solve_array`, or a table that has all columns.
        predictions: As many as puzzles; not given for a table.
        answers: The answers of the set, as many as puzzles, or None.
        by: Also count each bucket of rows: "clues", "grade", "er", or "er:0.5" for ratings in buckets of this width; the
            name of another column of the table; or a sequence with a value for each row.
        column: The name of the puzzles' column, "puzzle" if not given.
        prediction_column: The name of the predictions' column, "prediction" if not given.
        answer_column: The name of the column of a table that has the answers; without it, puzzles are solved.
        details: Return a pair: the totals, and a struct of `cells` (the share of the blank cells that are right),
            `right_cells`, `blank_cells`, `complete`, `legal`, `keeps_clues` and `exact` for each row.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Returns:
        A dict. `exact_accuracy` is the share of rows that are exact, `cell_accuracy` that of the blank cells of all rows
        together, and `mean_cell_accuracy_of_rows` the mean of the shares of all rows; None without rows. The other keys
        are counts: `rows` with a score, of which `exact`, `complete`, `legal`, `keeps_clues`, `missing` and `valid` (solutions,
        exact or not); `right_cells`, `blank_cells`; `unscored` rows; `wrong_answers`. With `by`, the key `by` has such a dict for each bucket.

    Example:
        >>> import ninefold
        >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
        >>> totals = ninefold.evaluate([puzzle, puzzle], [ninefold.solve(puzzle), puzzle])
        >>> totals["exact_accuracy"], totals["right_cells"], totals["blank_cells"]
        (0.5, 51, 102)
    """
@overload
def evaluate(puzzles: _Puzzles, predictions: _Puzzles | None = None, answers: _Puzzles | None = None, *, by: Any = None, column: str | None = None, prediction_column: str | None = None, answer_column: str | None = None, details: Literal[True], threads: int = 1, progress: _Progress = None) -> tuple[dict[str, Any], Any]: ...
@overload
def evaluate(puzzles: _Puzzles, predictions: _Puzzles | None = None, answers: _Puzzles | None = None, *, by: Any = None, column: str | None = None, prediction_column: str | None = None, answer_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def canonical_array(puzzles: list[Any], *, form: _Form = "minlex", column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Finds the canonical forms of the puzzles of an array.

    Isomorphic puzzles have the same form. Arguments as in `solve_array`, and:

    Args:
        form: "minlex", the least isomorphic puzzle read as a number, or "solution", the clues under
            the map that takes the solution to its minlex form; it needs a puzzle with one solution.

    Returns:
        The forms, in the type of the input, empty (or zeros) where there is none; with `details`, a
        struct of `form`, `status` ("canonical", "multiple", "none", "conflict", "sukaku" or
        "malformed"), `automorphisms`, `map` and `reason`.

    Example:
        >>> import ninefold, pyarrow
        >>> ninefold.canonical_array(pyarrow.array(["7" + "." * 80])).to_pylist()[0][-9:]
        '........1'
    """
@overload
def canonical_array(puzzles: _ArrowArray, *, form: _Form = "minlex", column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def canonical_array(puzzles: _Puzzles, *, form: _Form = "minlex", column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def rate_array(puzzles: list[Any], *, measures: _Measure | Sequence[_Measure] | None = None, shuffles: int = 10, seed: int = 1, max_er: float | None = None, column: str | None = None, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Measures the difficulty of the puzzles of an array that have one solution.

    Arguments as in `solve_array` and `rate`.

    Returns:
        A struct of `effort`, `effort_se`, `er`, `ep`, `ed`, `technique`, `grade`, `backdoor`, `backdoors`,
        `status` ("unique", "multiple", "none", "conflict" or "malformed") and `reason`. What was not measured is null,
        and so is a score above `max_er`, for which `reason` is "above X".

    Example:
        >>> import ninefold, pyarrow
        >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
        >>> ninefold.rate_array(puzzles).to_pylist()[0]["er"]
        1.2
    """
@overload
def rate_array(puzzles: _ArrowArray, *, measures: _Measure | Sequence[_Measure] | None = None, shuffles: int = 10, seed: int = 1, max_er: float | None = None, column: str | None = None, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def rate_array(puzzles: _Puzzles, *, measures: _Measure | Sequence[_Measure] | None = None, shuffles: int = 10, seed: int = 1, max_er: float | None = None, column: str | None = None, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def steps_array(
    puzzles: _Puzzles,
    *,
    as_numpy: Literal[True],
    column: str | None = None,
    threads: int = 1,
    progress: _Progress = None,
) -> StepArrays:
    """Lists the steps that solve the puzzles of an array that have one solution.

    Arguments as in `solve_array` and `steps`, and:

    Args:
        as_numpy: Return arrays of numpy, a `StepArrays`. It has the boards and no details. A stream is consumed.

    Returns:
        Lists of structs, the dictionaries of `steps`; empty for a puzzle without exactly one solution.
        With `details`, a struct of `steps`, `status` and `reason`.

    Example:
        >>> import ninefold, pyarrow
        >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
        >>> ninefold.steps_array(puzzles).to_pylist()[0][0]["placement"]
        'r1c6=8'
    """
@overload
def steps_array(
    puzzles: _Puzzles,
    *,
    boards: bool = False,
    as_numpy: bool = False,
    column: str | None = None,
    details: bool = False,
    threads: int = 1,
    progress: _Progress = None,
) -> Any: ...
def texts(
    tokens: _Puzzles, *, blank: str = "0", column: str | None = None, threads: int = 1
) -> list[str]:
    """The texts of puzzles, of arrays of digits for instance.

    Args:
        tokens: As in `solve_array`.
        blank: The character of a blank: "0", or ".", "_", "*" or "-".
        column: The name of the column.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.

    Returns:
        A list of strings.

    Raises:
        MalformedError: A row is not a puzzle; the message has its number.

    Example:
        >>> import ninefold
        >>> ninefold.texts(ninefold.tokens(["53" + "." * 79]))[0][:4]
        '5300'
    """
def tokens(texts: _Puzzles, *, column: str | None = None, threads: int = 1) -> Any:
    """The digits of puzzles, 0 for a blank.

    Args:
        texts: As in `solve_array`.
        column: The name of the column.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.

    Returns:
        A numpy array of uint8 with shape (n, 81).

    Raises:
        MalformedError: A row is not a puzzle of 81 cells; the message has its number.

    Example:
        >>> import ninefold
        >>> ninefold.tokens(["53" + "." * 79]).shape
        (1, 81)
    """
@overload
def candidates_array(puzzles: list[Any], *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Lists the candidates of the cells of puzzles: the digits that no clue in the same row, column or box has.

    Arguments as in `solve_array`. A clue is the only candidate of its cell. The candidates of a sukaku are
    those that it gives.

    Returns:
        81 numbers (uint16) for each puzzle, whose bit 0 stands for the digit 1, bit 8 for 9; zeros for a malformed
        puzzle. numpy arrays for numpy. With `details`, a struct of `candidates`, `status` ("candidates" or
        "malformed") and `reason`.

    Example:
        >>> import ninefold
        >>> ninefold.candidates_array(["12345678" + "." * 73])[0][8:11]
        [256, 504, 504]
    """
@overload
def candidates_array(puzzles: _ArrowArray, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def candidates_array(puzzles: _Puzzles, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def verify_array(puzzles: list[Any], answers: _Puzzles | None = None, *, column: str | None = None, answer_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Tells which answers are solutions of their puzzles.

    An answer is right if it is full and legal and keeps the clues. Nothing is solved: whether it is
    the only solution is not checked.

    Args:
        puzzles: As in `solve_array`, or a table that has both columns.
        answers: The answers, as many as puzzles; not given for a table of both.
        column: The name of the puzzles' column, "puzzle" if not given.
        answer_column: The name of the answers' column, "solution" if not given.
        details: Return a struct of `right`, `status` ("right", "wrong" or "malformed") and `reason`.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Returns:
        bool, false for a malformed puzzle or answer. Null if either is null.

    Example:
        >>> import ninefold, pyarrow
        >>> puzzles = pyarrow.array(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
        >>> ninefold.verify_array(puzzles, ninefold.solve_array(puzzles)).to_pylist()
        [True]
    """
@overload
def verify_array(puzzles: _ArrowArray, answers: _Puzzles | None = None, *, column: str | None = None, answer_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def verify_array(puzzles: _Puzzles, answers: _Puzzles | None = None, *, column: str | None = None, answer_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def isomorphism_array(puzzles: list[Any], others: _Puzzles | None = None, *, column: str | None = None, other_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Finds a map from each puzzle to another that differs in looks only.

    Args:
        puzzles: As in `solve_array`, or a table that has both columns.
        others: The other puzzles, as many; not given for a table of both.
        column: The name of the puzzles' column, "puzzle" if not given.
        other_column: The name of the other puzzles' column, "other" if not given.
        details: Return a struct of `map`, `status` ("isomorphic", "different" or "malformed") and
            `reason`.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Returns:
        The text of each map, for `Isomorphism.parse`; empty if there is none. Null if either puzzle
        is null.

    Example:
        >>> import ninefold, pyarrow
        >>> one, other = pyarrow.array(["1" + "." * 80]), pyarrow.array(["." * 80 + "9"])
        >>> ninefold.isomorphism_array(one, other).to_pylist()[0][-10:]
        'd912345678'
    """
@overload
def isomorphism_array(puzzles: _ArrowArray, others: _Puzzles | None = None, *, column: str | None = None, other_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def isomorphism_array(puzzles: _Puzzles, others: _Puzzles | None = None, *, column: str | None = None, other_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
def augment_array(
    puzzles: _Puzzles,
    answers: _Puzzles | None = None,
    n: int = 1,
    seed: int = 1,
    *,
    kinds: _Change | Sequence[_Change] | None = None,
    include_original: bool = False,
    column: str | None = None,
    answer_column: str | None = None,
    details: bool = False,
    threads: int = 1,
    progress: _Progress = None,
) -> Any:
    """Makes random isomorphic copies of the puzzles of an array, and of their answers alike.

    A copy has other digits, rows and columns, and may be transposed. Nothing is solved: a right answer stays
    right. The copies of a puzzle depend on the seed and its cells alone. They are those of
    `ninefold augment --seed`, and n=8 begins with the copies of n=4.

    Args:
        puzzles: As in `solve_array`, or a table that has both columns.
        answers: The answers, as many as puzzles. A null has no answer.
        n: The number of copies of each row. They all differ.
        seed: The seed of all transformations.
        kinds: Change these alone: "digits", "rows", "columns", "transpose".
        include_original: Put the row itself before its copies, so that it has n + 1 results.
        column: The name of the puzzles' column, "puzzle" if not given.
        answer_column: The name of the answers' column in a table of both.
        details: Return a struct of `puzzle`, `solution`, `map` (for `Isomorphism.parse`), `status`
            ("augmented", "few", "unreadable" or "malformed") and `reason`.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Returns:
        n results for each row, one row after the other, in the type of the input; pandas repeats the
        index. With answers a struct of `puzzle` and `solution`, two arrays for numpy and torch. The copies of a
        null are null; those of a malformed puzzle, or of one with fewer different copies, are empty (or
        zeros), and so are those of a row whose answer is no grid, with a warning.

    Example:
        >>> import ninefold, numpy
        >>> puzzles = numpy.zeros((5, 9, 9), numpy.uint8)
        >>> puzzles[:, 0, 0] = 1
        >>> ninefold.augment_array(puzzles, n=4, seed=7).shape
        (20, 9, 9)
    """
@overload
def split_array(puzzles: list[Any], parts: dict[str, float], seed: int = 1, group: _Group = "form", *, column: str | None = None, threads: int = 1, progress: _Progress = None) -> list[Any]:
    """Divides the puzzles of an array into parts, such as training and test data.

    Rows of a class are in the same part, so that no puzzle of one part is a disguised one of another. The hash
    of the class decides: a row is in the same part in every array, file, process and machine. The parts are
    those of `ninefold select --split --seed`.

    Args:
        puzzles: As in `solve_array`.
        parts: The share of each part, by its name. Shares add up to 1.
        seed: The seed of the split.
        group: The classes: "form", isomorphic puzzles; "solution", puzzles whose only solutions are
            isomorphic; "row", equal puzzles, which are those of the program if `.` is their blank.
        column: The name of the column.
        threads: The number of threads: 1, the default, or more; 0 for one on each core.
        progress: True shows a progress bar of tqdm, or without tqdm a line on stderr. A bar of tqdm is
            updated.

    Returns:
        The name of the part for each row, null for a null. A row that is not a puzzle has a part by its
        text.

    Example:
        >>> import ninefold
        >>> puzzles = ["1" + "." * 80, "." * 80 + "2"]
        >>> parts = ninefold.split_array(puzzles, {"train": 0.9, "test": 0.1})
        >>> parts[0] == parts[1]
        True
    """
@overload
def split_array(puzzles: _ArrowArray, parts: dict[str, float], seed: int = 1, group: _Group = "form", *, column: str | None = None, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def split_array(puzzles: _Puzzles, parts: dict[str, float], seed: int = 1, group: _Group = "form", *, column: str | None = None, threads: int = 1, progress: _Progress = None) -> Any: ...
def generate_array(
    n: int,
    *,
    seed: int = 1,
    clues: int | Sequence[int] | None = None,
    symmetry: _Symmetry = "none",
    pattern: str | None = None,
    minimal: bool = False,
    grade: _Grade | None = None,
    er: float | Sequence[float | None] | None = None,
    technique: str | None = None,
    uses: str | None = None,
    threads: int = 1,
    progress: _Progress = None,
) -> Array:
    """Makes puzzles as an Arrow array of utf8. Arguments as in `generate`.

    Example:
        >>> import ninefold, pyarrow
        >>> len(pyarrow.array(ninefold.generate_array(3, seed=1)))
        3
    """
