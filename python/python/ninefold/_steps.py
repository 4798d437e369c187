"""Steps: a dictionary each, or arrays of numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Step", "StepArrays", "as_numpy"]


class _Step(TypedDict):
    technique: str
    score: float
    cells: list[str]
    digits: list[int]
    eliminations: list[str]
    placement: str | None
    chains: list[list[str]]


class Step(_Step, total=False):
    """A step of `steps`, which describes the fields."""

    board: str | None
    """The grid after a step that places a digit, if `boards` are wanted."""


class StepArrays(NamedTuple):
    """The steps of n puzzles: k steps with m eliminations in all. A puzzle without exactly one solution has none."""

    offsets: npt.NDArray[np.int64]
    """The steps of puzzle i are those from `offsets[i]` up to `offsets[i + 1]`. n + 1 numbers."""
    technique: npt.NDArray[np.uint8]
    """The places of the techniques in `ninefold.TECHNIQUES`. k numbers."""
    cell: npt.NDArray[np.uint8]
    """The cells, 0 to 80, in which a digit is placed; 255 if none is. k numbers."""
    digit: npt.NDArray[np.uint8]
    """The digits that are placed; 0 if none is. k numbers."""
    elimination_offsets: npt.NDArray[np.int64]
    """The eliminations of step i are those from `elimination_offsets[i]` on. k + 1 numbers."""
    eliminations: npt.NDArray[np.uint8]
    """Cells and digits of the candidates that are removed, (m, 2)."""
    boards: npt.NDArray[np.uint8]
    """The digits before each step, 0 for a blank, (k, 81)."""
    candidates: npt.NDArray[np.uint16]
    """The candidates before each step, (k, 81): bit 0 for the digit 1, bit 8 for 9. A filled cell has its digit."""


StepArrays.__module__ = Step.__module__ = "ninefold"


def as_numpy(pieces: list[Any]) -> StepArrays:
    """The arrays of all pieces, each an `Array` with a list in each field of a row."""
    import numpy as np

    fields = ("technique", "cell", "digit", "elimination_counts", "eliminations", "boards", "candidates")
    lists = {name: [piece[name]._lists() for piece in pieces] for name in fields}
    technique, cell, digit, counts, eliminations, boards, candidates = (
        items[0] if len(items) == 1 else np.concatenate(items)
        for items in ([items for _, items in lists[name]] for name in fields)
    )
    per_puzzle = np.concatenate([np.diff(offsets) for offsets, _ in lists["technique"]])
    return StepArrays(
        _offsets(per_puzzle), technique, cell, digit, _offsets(counts), eliminations, boards, candidates
    )


def _offsets(counts: Any) -> Any:
    """The start of each item, by the counts of the items, and the end of the last."""
    import numpy as np

    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets
