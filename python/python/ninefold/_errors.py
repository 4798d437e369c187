"""Exceptions. All are `SudokuError`, and so `ValueError`."""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ArrayError",
    "ConflictError",
    "IncompleteError",
    "MalformedError",
    "MultipleSolutionsError",
    "NoSolutionError",
    "PuzzleError",
    "SudokuError",
    "WrongAnswerError",
    "WrongTypeError",
]


class SudokuError(ValueError):
    """The base of all exceptions of this package."""


class PuzzleError(SudokuError):
    """A puzzle does not have what was asked for; the message says why."""

    status: ClassVar[str]
    """The status of the puzzle, as functions on arrays name it."""


class MalformedError(PuzzleError):
    """The text is not a puzzle."""

    status = "malformed"


class ConflictError(PuzzleError):
    """A digit is given twice in a row, column or box."""

    status = "conflict"


class NoSolutionError(PuzzleError):
    """The puzzle is legal and has no solution."""

    status = "none"


class MultipleSolutionsError(PuzzleError):
    """The puzzle has more than one solution."""

    status = "multiple"


class WrongAnswerError(PuzzleError):
    """The answer is not a solution of the puzzle."""

    status = "wrong"


class IncompleteError(SudokuError):
    """Not all puzzles could be made as requested."""

    def __init__(self, message: str, puzzles: list[str]) -> None:
        super().__init__(message)
        self.puzzles = puzzles
        """The puzzles that were made, including those that come close."""

    def __reduce__(self) -> tuple[type[IncompleteError], tuple[str, list[str]]]:
        return type(self), (str(self), self.puzzles)


class ArrayError(SudokuError):
    """An array, stream or table cannot be read: wrong type, no such column, invalid data."""


class WrongTypeError(ArrayError, TypeError):
    """An argument has a type or a shape that is not taken; the message says what to write instead."""


# Tracebacks show the public names.
for _error in (
    SudokuError,
    PuzzleError,
    MalformedError,
    ConflictError,
    NoSolutionError,
    MultipleSolutionsError,
    WrongAnswerError,
    IncompleteError,
    ArrayError,
    WrongTypeError,
):
    _error.__module__ = "ninefold"
del _error
