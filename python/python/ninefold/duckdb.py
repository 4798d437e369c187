"""DuckDB: puzzles are solved by a function in SQL.

>>> import duckdb, ninefold, ninefold.duckdb
>>> connection = duckdb.connect()
>>> ninefold.duckdb.register(connection, "count_solutions", ninefold.count_array, limit=2)
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> connection.sql(f"SELECT count_solutions('{puzzle}')").fetchall()
[(1,)]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from ._ninefold import isomorphism_array, verify_array

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]


def register(
    connection: DuckDBPyConnection,
    name: str,
    function: Callable[..., Any],
    *,
    parameters: Literal[1, 2] | None = None,
    **options: Any,
) -> None:
    """Makes a function such as `ninefold.solve_array` a function of a connection's SQL.

    It takes text: puzzles, and for `verify_array` and `isomorphism_array` a second column. A function
    of your own that takes two columns needs `parameters=2`. `options` go to the function. DuckDB runs
    Python on one thread and in batches of 2,048 rows; `threads` cannot make up for this.
    """
    import duckdb
    import pyarrow as pa

    if parameters is None:
        parameters = 2 if function in (verify_array, isomorphism_array) else 1

    def call(*arrays: Any) -> Any:
        return pa.chunked_array(function(*arrays, **options))

    empty = call(*[pa.chunked_array([], pa.string())] * parameters)
    (result,) = duckdb.from_arrow(pa.table({"result": empty})).types
    connection.create_function(
        name,
        # DuckDB counts the parameters.
        (lambda one: call(one)) if parameters == 1 else (lambda one, two: call(one, two)),
        [duckdb.sqltypes.VARCHAR] * parameters,
        result,
        type="arrow",
        null_handling="special",
    )
