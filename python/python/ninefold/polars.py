"""Polars: puzzles are solved in an expression.

>>> import ninefold, ninefold.polars, polars as pl
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> frame = pl.DataFrame({"puzzle": [puzzle]})
>>> frame.select(ninefold.polars.apply(pl.col("puzzle"), ninefold.count_array, limit=2)).item()
1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

__all__ = ["apply"]


def apply(expression: pl.Expr, function: Callable[..., Any], **options: Any) -> pl.Expr:
    """An expression for the result of a function such as `ninefold.solve_array`.

    `expression` has puzzles as text, and `options` go to the function. For puzzles with answers
    take a struct, and name its fields:
    `apply(pl.struct("puzzle", "solution"), ninefold.verify_array, column="puzzle",
    answer_column="solution")`.

    The expression works in lazy and in streaming queries.
    """
    import polars as pl

    def solve(puzzles: pl.Series) -> pl.Series:
        return pl.Series(puzzles.name, function(puzzles, **options))

    fields = [it for key, it in options.items() if key == "column" or key.endswith("_column")]
    named = pl.Struct(dict.fromkeys(fields, pl.String)) if fields else pl.String
    result = solve(pl.Series("", [], dtype=named)).dtype
    return expression.map_batches(solve, return_dtype=result, is_elementwise=True)
