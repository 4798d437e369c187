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
    def to_pylist(self) -> list[Any]: ...

@final
class ArrayStream:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __next__(self) -> Array: ...
    def to_pylist(self) -> list[Any]: ...

@final
class Bank:
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
    ) -> Any: ...
    def contains_array(
        self,
        puzzles: _Puzzles,
        *,
        column: str | None = None,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Any: ...
    def first_array(
        self,
        puzzles: _Puzzles,
        *,
        column: str | None = None,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Any: ...
    @property
    def malformed(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @staticmethod
    def _restored(bytes: bytes, malformed: int) -> Bank: ...

@final
class Isomorphism:
    @staticmethod
    def parse(text: str) -> Isomorphism: ...
    @staticmethod
    def random(seed: int) -> Isomorphism: ...
    def apply(self, puzzle: str) -> str: ...
    def apply_array(
        self,
        puzzles: _Puzzles,
        *,
        column: str | None = None,
        details: bool = False,
        threads: int = 1,
        progress: _Progress = None,
    ) -> Any: ...
    def inverse(self) -> Isomorphism: ...
    def then(self, next: Isomorphism) -> Isomorphism: ...
    @property
    def transposed(self) -> bool: ...
    @property
    def rows(self) -> list[int]: ...
    @property
    def columns(self) -> list[int]: ...
    @property
    def digits(self) -> list[int]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def solve(puzzle: str) -> str: ...
def count(puzzle: str, limit: int) -> int: ...
def is_unique(puzzle: str) -> bool: ...
def solutions(puzzle: str, limit: int) -> list[str]: ...
def canonical(puzzle: str, form: _Form = "minlex") -> str: ...
def isomorphism(puzzle: str, other: str) -> Isomorphism | None: ...
def rate(
    puzzle: str,
    *,
    measures: Sequence[_Measure] | None = None,
    shuffles: int = 10,
    seed: int = 1,
    max_er: float | None = None,
) -> Rating: ...
def steps(puzzle: str, *, boards: bool = False) -> list[Step]: ...
def verify(puzzle: str, answer: str) -> Literal[True]: ...
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
) -> list[str]: ...

# The result is an `Array` for an array, an `ArrayStream` for a stream, and an object of the same library
# for pandas, numpy, torch and lists. pandas has streams, too, and the others are not typed without their
# libraries: for these it is `Any`.
@overload
def solve_array(puzzles: list[Any], *, column: str | None = None, limit: int = 1, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def solve_array(puzzles: _ArrowArray, *, column: str | None = None, limit: int = 1, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def solve_array(puzzles: _Puzzles, *, column: str | None = None, limit: int = 1, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def count_array(puzzles: list[Any], limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def count_array(puzzles: _ArrowArray, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def count_array(puzzles: _Puzzles, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def is_unique_array(puzzles: list[Any], *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def is_unique_array(puzzles: _ArrowArray, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def is_unique_array(puzzles: _Puzzles, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def solutions_array(puzzles: list[Any], limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def solutions_array(puzzles: _ArrowArray, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def solutions_array(puzzles: _Puzzles, limit: int, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def neighbors_array(puzzles: list[Any], *, minus: int = 1, plus: int = 1, pattern: Literal["same"] | None = None, minimal: bool = False, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def neighbors_array(puzzles: _ArrowArray, *, minus: int = 1, plus: int = 1, pattern: Literal["same"] | None = None, minimal: bool = False, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def neighbors_array(puzzles: _Puzzles, *, minus: int = 1, plus: int = 1, pattern: Literal["same"] | None = None, minimal: bool = False, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def minimize_array(puzzles: list[Any], *, which: Literal["one", "fewest", "all"] = "one", max: int = 1000, seed: int = 1, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def minimize_array(puzzles: _ArrowArray, *, which: Literal["one", "fewest", "all"] = "one", max: int = 1000, seed: int = 1, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def minimize_array(puzzles: _Puzzles, *, which: Literal["one", "fewest", "all"] = "one", max: int = 1000, seed: int = 1, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def evaluate(puzzles: _Puzzles, predictions: _Puzzles | None = None, answers: _Puzzles | None = None, *, by: Any = None, column: str | None = None, prediction_column: str | None = None, answer_column: str | None = None, details: Literal[False] = False, threads: int = 1, progress: _Progress = None) -> dict[str, Any]: ...
@overload
def evaluate(puzzles: _Puzzles, predictions: _Puzzles | None = None, answers: _Puzzles | None = None, *, by: Any = None, column: str | None = None, prediction_column: str | None = None, answer_column: str | None = None, details: Literal[True], threads: int = 1, progress: _Progress = None) -> tuple[dict[str, Any], Any]: ...
@overload
def canonical_array(puzzles: list[Any], *, form: _Form = "minlex", column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def canonical_array(puzzles: _ArrowArray, *, form: _Form = "minlex", column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def canonical_array(puzzles: _Puzzles, *, form: _Form = "minlex", column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def rate_array(puzzles: list[Any], *, measures: Sequence[_Measure] | None = None, shuffles: int = 10, seed: int = 1, max_er: float | None = None, column: str | None = None, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def rate_array(puzzles: _ArrowArray, *, measures: Sequence[_Measure] | None = None, shuffles: int = 10, seed: int = 1, max_er: float | None = None, column: str | None = None, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def rate_array(puzzles: _Puzzles, *, measures: Sequence[_Measure] | None = None, shuffles: int = 10, seed: int = 1, max_er: float | None = None, column: str | None = None, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def steps_array(
    puzzles: _Puzzles,
    *,
    as_numpy: Literal[True],
    column: str | None = None,
    threads: int = 1,
    progress: _Progress = None,
) -> StepArrays: ...
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
) -> list[str]: ...
def tokens(texts: _Puzzles, *, column: str | None = None, threads: int = 1) -> Any: ...
@overload
def candidates_array(puzzles: list[Any], *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def candidates_array(puzzles: _ArrowArray, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def candidates_array(puzzles: _Puzzles, *, column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def verify_array(puzzles: list[Any], answers: _Puzzles | None = None, *, column: str | None = None, answer_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
@overload
def verify_array(puzzles: _ArrowArray, answers: _Puzzles | None = None, *, column: str | None = None, answer_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Array: ...
@overload
def verify_array(puzzles: _Puzzles, answers: _Puzzles | None = None, *, column: str | None = None, answer_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> Any: ...
@overload
def isomorphism_array(puzzles: list[Any], others: _Puzzles | None = None, *, column: str | None = None, other_column: str | None = None, details: bool = False, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
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
    kinds: Sequence[_Change] | None = None,
    include_original: bool = False,
    column: str | None = None,
    answer_column: str | None = None,
    details: bool = False,
    threads: int = 1,
    progress: _Progress = None,
) -> Any: ...
@overload
def split_array(puzzles: list[Any], parts: dict[str, float], seed: int = 1, group: _Group = "form", *, column: str | None = None, threads: int = 1, progress: _Progress = None) -> list[Any]: ...
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
) -> Array: ...
