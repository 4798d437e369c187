"""Dask: puzzles are solved in the tasks of a Dask data frame, a pandas frame at a time.

>>> import dask.dataframe as dd, ninefold, ninefold.dask  # doctest: +SKIP
>>> puzzles = dd.read_parquet("puzzles.parquet")  # doctest: +SKIP
>>> solved = ninefold.dask.apply(puzzles, ninefold.solve_array, "puzzle", "answer")  # doctest: +SKIP
>>> solved.to_parquet("solved", overwrite=True)  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._table import AddColumn

if TYPE_CHECKING:
    import dask.dataframe as dd
    import pandas as pd

__all__ = ["apply"]


def apply(
    frame: dd.DataFrame, function: Callable[..., Any], column: str, into: str, **options: Any
) -> dd.DataFrame:
    """Adds a column with the result of a function such as `ninefold.solve_array`.

    `options` go to the function. A second column, of answers for instance, is named there:
    `apply(frame, ninefold.verify_array, "puzzle", "right", answer_column="solution")`.

    A partition is one batch. Dask runs as many tasks as there are cores, so leave `threads` at 1.
    All but text becomes columns of pandas' `ArrowDtype`, in which null is null. pandas does not find the type of
    structs and lists in a Parquet file: read it with `dtype_backend="pyarrow"`.
    """
    job = AddColumn(function, column, into, "dask", options)
    job.check(dict(frame.dtypes))
    return frame.map_partitions(_add, job, meta=_add(frame._meta, job))


def _add(frame: pd.DataFrame, job: AddColumn) -> pd.DataFrame:
    """The frame of a partition with the new column."""
    import pandas as pd
    import pyarrow as pa

    table = pa.Table.from_pandas(frame[job.columns()], preserve_index=False)
    values = pa.chunked_array(job.values(table))
    # pandas has a text with nulls of its own, but no integers with nulls, and no lists.
    is_text = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    result = values.to_pandas(types_mapper=None if is_text else pd.ArrowDtype)
    result.index = frame.index
    return frame.assign(**{job.into: result})
