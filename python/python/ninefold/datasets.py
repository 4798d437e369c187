"""Hugging Face datasets: puzzles are solved by `Dataset.map`, in Arrow batches.

>>> import datasets, ninefold, ninefold.datasets  # doctest: +SKIP
>>> puzzles = datasets.load_dataset("parquet", data_files="puzzles.parquet", split="train")  # doctest: +SKIP
>>> solved = ninefold.datasets.apply(puzzles, ninefold.solve_array, "puzzle", "answer")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._table import AddColumn

if TYPE_CHECKING:
    from datasets import Dataset

__all__ = ["apply"]


def apply(
    dataset: Dataset,
    function: Callable[..., Any],
    column: str,
    into: str,
    *,
    batch_size: int = 10_000,
    num_proc: int | None = None,
    **options: Any,
) -> Dataset:
    """Adds a column with the result of a function such as `ninefold.solve_array`.

    `options` go to the function. A second column, of answers for instance, is named there:
    `apply(dataset, ninefold.verify_array, "puzzle", "right", answer_column="solution")`.

    `num_proc` processes share the batches, or set `threads` instead.
    """
    job = AddColumn(function, column, into, options)
    job.check(dataset.column_names)
    mapped = dataset.with_format("arrow").map(
        job, batched=True, batch_size=batch_size, num_proc=num_proc
    )
    return mapped.with_format(**dataset.format)
