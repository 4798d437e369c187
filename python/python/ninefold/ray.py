"""Ray Data: puzzles are solved in Ray's own tasks.

>>> import ninefold, ninefold.ray, ray  # doctest: +SKIP
>>> puzzles = ray.data.read_parquet("puzzles.parquet")  # doctest: +SKIP
>>> solved = ninefold.ray.apply(puzzles, ninefold.solve_array, "puzzle", "answer")  # doctest: +SKIP
>>> solved.write_parquet("solved", mode="overwrite")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._table import AddColumn

if TYPE_CHECKING:
    from ray.data import Dataset

__all__ = ["apply"]


def apply(
    dataset: Dataset, function: Callable[..., Any], column: str, into: str, **options: Any
) -> Dataset:
    """Adds a column with the result of a function such as `ninefold.solve_array`.

    `options` go to the function. A second column, of answers for instance, is named there:
    `apply(dataset, ninefold.verify_array, "puzzle", "right", answer_column="solution")`.

    A row is repeated for each of its results, if it has several:
    `apply(dataset, ninefold.augment_array, "puzzle", "copy", answer_column="solution", n=8)`.

    A block is one batch. Ray runs as many tasks as there are cores, so leave `threads` at 1. If
    a file has few blocks, call `.repartition(n)` first.
    """
    job = AddColumn(function, column, into, "ray", options)
    return dataset.map_batches(job, batch_format="pyarrow", batch_size=None, zero_copy_batch=True)
