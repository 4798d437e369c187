"""Adds the result of a function on arrays to a pyarrow table, for engines whose batches are tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._errors import ArrayError
from ._given import is_number, numbers

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class AddColumn:
    """Puts `function(table[column], **options)` into a new column. It can be pickled."""

    function: Callable[..., Any]
    column: str
    into: str
    library: str
    options: dict[str, Any] = field(default_factory=dict)

    def check(self, columns: dict[str, Any]) -> None:
        """Refuses a table that lacks a column that is read, or has the one that is added.

        `columns` are names with types, as the library has them: a column of numbers is refused, too.
        """
        for name in self.columns():
            if name not in columns:
                raise ArrayError(f"there is no column {name!r}; the columns are {list(columns)}")
            if is_number(columns[name]):
                what = "puzzles" if name == self.column else f"values of {name!r}"
                raise numbers(self.library, name, what)
        if self.into in columns:
            raise ArrayError(f"there is a column {self.into!r}; choose another name")

    def columns(self) -> list[str]:
        """The columns that are read: `column`, and options such as `answer_column`."""
        more = [it for key, it in self.options.items() if key.endswith("_column")]
        return list(dict.fromkeys([self.column, *more]))

    def values(self, table: Any) -> Any:
        """The result for a table that has the columns that are read."""
        return self.function(table, column=self.column, **self.options)

    def type(self, schema: pa.Schema) -> pa.DataType:
        """The type of the new column."""
        import pyarrow as pa

        types = pa.schema([schema.field(name) for name in self.columns()])
        return pa.array(self.values(pa.RecordBatch.from_pylist([], types))).type

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """The schema with the new column."""
        import pyarrow as pa

        return schema.append(pa.field(self.into, self.type(schema)))

    def of_lists(self, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
        """The new column of a table that is a dictionary of lists."""
        import pyarrow as pa

        read: dict[str, Any] = {}
        for name in self.columns():
            try:
                read |= {name: pa.array(columns[name])} if name in columns else {}
            except OverflowError:
                raise numbers(self.library, name) from None
        self.check({name: read[name].type if name in read else "" for name in columns})
        return {self.into: pa.chunked_array(self.values(pa.table(read))).to_pylist()}

    def __call__(self, table: Any) -> Any:
        """The table (or record batch) with the new column.

        A row is repeated for each of its results, if it has several, as of `augment_array(n=8)`.
        """
        import pyarrow as pa

        self.check(dict(zip(table.schema.names, table.schema.types)))
        result = self.values(table.select(self.columns()))
        is_array = isinstance(table, pa.RecordBatch)
        values = pa.array(result) if is_array else pa.chunked_array(result)
        if len(values) > table.num_rows:
            each = len(values) // table.num_rows
            table = table.take(pa.array([row for row in range(table.num_rows) for _ in range(each)]))
        return table.append_column(self.into, values)
