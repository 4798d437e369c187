"""A bar of tqdm, or a line on stderr."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol

__all__ = ["Progress"]


class Bar(Protocol):
    """The part of the protocol of tqdm that a caller's bar needs."""

    def update(self, n: int, /) -> Any: ...


class Progress:
    """Shows the number of puzzles that are done. Nothing is shown before the first batch is done."""

    def __init__(self, progress: bool | Bar, total: int | None) -> None:
        self.total = total
        self.bar = None if isinstance(progress, bool) else progress
        if self.bar is not None and not hasattr(self.bar, "update"):
            raise TypeError(f"progress: expected True, False or a bar of tqdm, found {type(progress).__name__}")
        self.owned = self.bar is None

    def update(self, n: int) -> None:
        """Counts `n` more puzzles."""
        if self.bar is None:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.bar = _Line(self.total)
            else:
                self.bar = tqdm(total=self.total, unit=" puzzles", unit_scale=True)
        self.bar.update(n)

    def close(self) -> None:
        """Ends the bar, unless the caller made it."""
        if self.owned and self.bar is not None:
            self.bar.close()  # type: ignore[attr-defined]
        self.owned = False


class _Line:
    """A line on stderr, written again twice a second."""

    def __init__(self, total: int | None) -> None:
        self.of = "" if total is None else f" of {total:,}"
        self.done = 0
        self.began = self.written = time.monotonic()

    def update(self, n: int) -> None:
        self.done += n
        if time.monotonic() - self.written > 0.5:
            self.write("\r")

    def close(self) -> None:
        self.write("\n")

    def write(self, end: str) -> None:
        self.written = time.monotonic()
        seconds = self.written - self.began
        sys.stderr.write(f"\r{self.done:,}{self.of} puzzles, {seconds:.1f} s{end}")
        sys.stderr.flush()
