"""The result of `rate`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, final

__all__ = ["Rating"]


@final
@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle. What was not measured is `None`."""

    effort: float | None = None
    """Mean number of guesses of a search, over transformations of the puzzle."""
    effort_se: float | None = None
    """The standard error of `effort`."""
    er: float | None = None
    """Rating of Sudoku Explainer: the hardest step."""
    ep: float | None = None
    """The hardest step up to the first digit placed."""
    ed: float | None = None
    """The first step."""
    technique: str | None = None
    """The technique of `er`."""
    grade: Literal["naked-singles", "singles", "locked-candidates", "search"] | None = None
    """The simplest list of rules that solves it."""
    reason: str | None = None
    """Why a score is `None` although it was measured: "above X", of `max_er`."""
    backdoor: int | None = None
    """Cells of the smallest backdoor, whose digits let singles solve the puzzle; 3 if more than 2."""
    backdoors: int | None = None
    """How many backdoors of this size there are, if they are of 2 cells at most."""

    def _asdict(self) -> dict[str, Any]:
        """The measures by their names, as of a `NamedTuple`: a row of a data frame."""
        return asdict(self)


Rating.__module__ = "ninefold"
