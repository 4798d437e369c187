"""Spark: puzzles are solved in Spark's Python workers, which exchange Arrow record batches.

>>> import ninefold, ninefold.spark  # doctest: +SKIP
>>> puzzles = spark.read.parquet("puzzles.parquet")  # doctest: +SKIP
>>> solved = ninefold.spark.apply(puzzles, ninefold.solve_array, "puzzle", "answer")  # doctest: +SKIP
>>> solved.write.parquet("solved")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ._table import AddColumn

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["apply"]


def apply(
    frame: DataFrame, function: Callable[..., Any], column: str, into: str, **options: Any
) -> DataFrame:
    """Adds a column with the result of a function such as `ninefold.solve_array`.

    `options` go to the function. A second column, of answers for instance, is named there:
    `apply(frame, ninefold.verify_array, "puzzle", "right", answer_column="solution")`.

    Spark runs as many tasks as there are cores, so leave `threads` at 1.
    `spark.sql.execution.arrow.maxRecordsPerBatch` is the number of rows of a batch (10,000).
    The package must be installed where Spark's workers run.
    """
    from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
    from pyspark.sql.types import StructField, StructType

    job = AddColumn(function, column, into, "pyspark", options)
    job.check(dict(frame.dtypes))
    added = from_arrow_type(job.type(to_arrow_schema(frame.schema)))

    def batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(job, batches)

    schema = StructType([*frame.schema.fields, StructField(into, added)])
    return frame.mapInArrow(batches, schema)
