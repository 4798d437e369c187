"""Hugging Face datasets: puzzles are solved by `Dataset.map`, in Arrow batches.

>>> import datasets, ninefold, ninefold.datasets  # doctest: +SKIP
>>> puzzles = datasets.load_dataset("parquet", data_files="puzzles.parquet", split="train")  # doctest: +SKIP
>>> solved = ninefold.datasets.apply(puzzles, ninefold.solve_array, "puzzle", "answer")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ._table import AddColumn

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

    AnyDataset = TypeVar("AnyDataset", Dataset, DatasetDict, IterableDataset, IterableDatasetDict)

__all__ = ["apply"]


def apply(
    dataset: AnyDataset,
    function: Callable[..., Any],
    column: str,
    into: str,
    *,
    batch_size: int = 10_000,
    num_proc: int | None = None,
    **options: Any,
) -> AnyDataset:
    """Adds a column with the result of a function such as `ninefold.solve_array`.

    `options` go to the function. A second column, of answers for instance, is named there:
    `apply(dataset, ninefold.verify_array, "puzzle", "right", answer_column="solution")`.

    `num_proc` processes share the batches, or set `threads` instead. A streaming dataset
    (`IterableDataset`) is mapped as its rows are read, in one process. Of a dictionary of splits, each
    split is mapped. The format of the dataset stays; the new column is among its columns.
    """
    if isinstance(dataset, dict):
        mapped = {
            split: apply(it, function, column, into, batch_size=batch_size, num_proc=num_proc, **options)
            for split, it in dataset.items()
        }
        return type(dataset)(mapped)
    job = AddColumn(function, column, into, "datasets", options)
    if hasattr(dataset, "format"):
        return _whole(dataset, job, batch_size, num_proc)
    if num_proc is not None:
        raise ValueError("num_proc: a streaming dataset is mapped in one process; set threads instead")
    return _streaming(dataset, job, batch_size)


def _whole(dataset: Any, job: AddColumn, batch_size: int, num_proc: int | None) -> Any:
    """A dataset with the new column."""
    from datasets import Features

    job.check(_columns(dataset.features))
    shown = dict(dataset.format)
    formatted = shown["columns"]
    if len(dataset) == 0:
        # `map` calls nothing.
        schema = job.schema(dataset.features.arrow_schema)
        mapped = dataset.add_column(job.into, [], feature=Features.from_arrow_schema(schema)[job.into])
    else:
        mapped = dataset.with_format("arrow").map(
            job, batched=True, batch_size=batch_size, num_proc=num_proc
        )
    # The columns of a format are a list of names: the new one is shown, too.
    keywords = shown.pop("format_kwargs", {})
    shown["columns"] = [*formatted, job.into]
    return mapped.with_format(**shown, **keywords)


def _streaming(dataset: Any, job: AddColumn, batch_size: int) -> Any:
    """A streaming dataset with the new column."""
    from datasets import Features

    features, formatting = dataset.features, dataset._formatting
    if features is None:
        # Arrow tables of such a dataset differ in their types, so the rows are read as Python objects.
        mapped = dataset.with_format(None).map(job.of_lists, batched=True, batch_size=batch_size)
    else:
        job.check(_columns(features))
        added = Features.from_arrow_schema(job.schema(features.arrow_schema))[job.into]
        mapped = dataset.with_format("arrow").map(
            job, batched=True, batch_size=batch_size, features=Features({**features, job.into: added})
        )
    return mapped.with_format(formatting.format_type if formatting else None)


def _columns(features: Any) -> dict[str, Any]:
    """The types of the columns. Only a plain value has a type by name."""
    return {name: getattr(it, "dtype", "") for name, it in features.items()}
