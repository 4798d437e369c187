"""Arguments of the functions on arrays, as the native module reads them.

| given | read as | result |
| --- | --- | --- |
| pandas series, frame | an Arrow array | a series, or a frame of details, with the index |
| pandas array, index | an Arrow array | a pandas array: it has no index that pandas could align |
| numpy array of texts | a list | a numpy array |
| numpy array or torch tensor of integers | digits | the same with the same shape and type |
| list of strings, list of digits | a list, digits | a list |
| column of a Hugging Face dataset | an Arrow array | a list |
| else | itself | an `Array` or an `ArrayStream` |

None of these libraries is imported unless one of its objects is given.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, KeysView, Sequence, Set, ValuesView
from dataclasses import dataclass
from numbers import Number
from typing import Any

from ._errors import ArrayError, WrongTypeError

__all__ = ["bucket_names", "numbers", "one", "structured", "take"]

_EXPECTED = (
    "expected an Arrow array or stream (of pyarrow, polars, pandas 3, DuckDB, …), a list of strings, "
    "or a numpy array of integers with shape (n, 81) or (n, 9, 9)"
)

# How each library reads a column of digits as text. `{0}` is the name of the column.
_READ = {
    "dask": "dask.dataframe.read_csv(..., dtype=str)",
    "datasets": 'datasets.load_dataset("csv", ..., features=datasets.Features({{"{0}": datasets.Value("string"), ...}}))',
    "duckdb": "duckdb.read_csv(..., all_varchar=True)",
    "numpy": "numpy.loadtxt(..., dtype=str)",
    "pandas": "pd.read_csv(..., dtype=str)",
    "polars": "pl.read_csv(..., infer_schema=False)",
    "pyarrow": 'pyarrow.csv.read_csv(..., convert_options=pyarrow.csv.ConvertOptions(column_types={{"{0}": "string"}}))',
    "pyspark": "spark.read.csv(..., inferSchema=False)",
    "ray": 'ray.data.read_csv(..., convert_options=pyarrow.csv.ConvertOptions(column_types={{"{0}": "string"}}))',
}

# The types of columns of numbers, as the libraries write them in lower case.
_NUMBER = re.compile(
    r"(dictionary<values=)?(u?(big|huge|small|tiny)?int(eger)?\d*|(half)?float\d*|double|real|decimal\d*)\b"
    r"|bignum|.*type_name=bignum"
)

Back = Callable[[Any], Any]


@dataclass
class _Taken:
    """An argument as the native module reads it."""

    given: Any
    back: Back | None = None
    """Turns the result into an object of the library that was given."""
    rows: int | None = None
    """The number of rows, if it is known without work."""
    index: Any = None
    """The index of pandas."""


def take(*arguments: tuple[Any, Sequence[str], str]) -> tuple[list[Any], Back | None, int | None]:
    """The arguments as the native module reads them, a function for the result, and the number of rows.

    Each argument comes with the names of its columns, and with a word for its values: puzzles, for instance.
    """
    taken = [_take(*it) for it in arguments]
    indexed = [(it.index, what) for it, (_, _, what) in zip(taken, arguments) if it.index is not None]
    for index, what in indexed[1:]:
        if not index.equals(indexed[0][0]):
            raise ArrayError(
                f"the indexes of the {indexed[0][1]} and the {what} differ: pass columns of one frame, "
                "or .array of each to go by position"
            )
    return [it.given for it in taken], taken[0].back, taken[0].rows


def numbers(library: str, column: str = "puzzle", what: str = "puzzles") -> WrongTypeError:
    """The error for a column of numbers, in the words of a library."""
    read = _READ.get(library, _READ["pandas"]).format(column)
    return WrongTypeError(f"the {what} are numbers; read the column as text: {read}")


def is_number(kind: Any) -> bool:
    """Whether this is the type of a column of numbers."""
    return _NUMBER.match(str(kind).lower()) is not None


def one(value: Any) -> WrongTypeError:
    """The error for a puzzle that is not a string."""
    name = _name(value)
    if value is None or _is_missing(value):
        hint = "a missing value; drop it, or call the function on arrays (solve_array), which keeps nulls"
        return WrongTypeError(f"expected a string of 81 cells or 729 pencilmarks, found {value}, {hint}")
    if isinstance(value, Number) or hasattr(value, "__index__") and not hasattr(value, "__len__"):
        return numbers(_library(value))
    if isinstance(value, (bytes, bytearray)):
        hint = "; write puzzle.decode()"
    elif isinstance(value, (list, tuple)):
        hint = '; write "".join(map(str, puzzle)) for one puzzle, or call the function on arrays (solve_array)'
    elif hasattr(value, "ravel"):
        hint = '; write "".join(map(str, puzzle.ravel().tolist())) for one puzzle, or call the function on arrays (solve_array)'
    elif hasattr(value, "__len__") or hasattr(value, "__arrow_c_stream__"):
        hint = "; call the function on arrays (solve_array)"
    else:
        hint = ""
    return WrongTypeError(f"expected a string of 81 cells or 729 pencilmarks, found {name}{hint}")


def _name(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


_LIBRARIES = ("datasets", "duckdb", "numpy", "pandas", "polars", "pyarrow", "torch")


def _library(value: Any) -> str:
    """The library of an object: that of its class, or of a class that its class extends."""
    for kind in type(value).__mro__:
        library = kind.__module__.partition(".")[0].lstrip("_")
        if library in _LIBRARIES:
            return library
    return ""


def _take(value: Any, names: Sequence[str], what: str) -> _Taken:
    library = _library(value)
    if library == "pandas":
        return _pandas(value, names, what)
    if library == "torch":
        return _torch(value, what)
    if library == "numpy":
        return _numpy(value, what)
    if isinstance(value, (str, bytes, bytearray)):
        raise refused(value, "; write [puzzle] for a list of one puzzle, or call the function on one puzzle (solve)")
    if hasattr(value, "__array__") and not hasattr(value, "__arrow_c_array__") and not hasattr(value, "__arrow_c_stream__"):
        import numpy as np

        return _numpy(np.asarray(value), what)
    if library == "datasets" and isinstance(value, Sequence):
        return _dataset_column(value, names, what)
    if isinstance(value, Sequence) and not hasattr(value, "__arrow_c_stream__") and not isinstance(value, memoryview):
        return _list(list(value), library, what)
    if library == "datasets":
        raise refused(value, "; write ninefold.datasets.apply(…)")
    if isinstance(value, dict):
        raise refused(value, "; pass one of its values, values[name], or pandas.DataFrame(values)")
    if isinstance(value, (Set, KeysView, ValuesView)) or hasattr(value, "__next__") and not hasattr(value, "__arrow_c_stream__"):
        raise refused(value, "; write list(…)")
    if library == "polars" and hasattr(value, "collect"):
        raise refused(value, "; write frame.collect()")
    if library == "polars" and not hasattr(value, "__len__"):
        raise refused(value, "; write ninefold.polars.apply(…)")
    if not hasattr(value, "__arrow_c_array__") and not hasattr(value, "__arrow_c_stream__"):
        return _memory(value)
    for name, kind in _types(value, library, names):
        if is_number(kind):
            raise numbers(library, name, what)
        if library == "polars" and str(kind) == "Object":
            # Arrow has no such type: polars exports addresses.
            raise refused(value, " of Python objects; write series.to_list()")
    rows = len(value) if library in ("polars", "pyarrow") and hasattr(value, "__len__") else None
    return _Taken(value, rows=rows)


def _memory(value: Any) -> _Taken:
    """The digits of an object that has a buffer."""
    try:
        view = memoryview(value)
    except TypeError:
        raise refused(value) from None
    if view.format != "B" or view.shape is None or view.shape[1:] not in ((81,), (9, 9)):
        raise refused(value)
    return _Taken((view.tobytes(), "u1", None), rows=view.shape[0])


def _dataset_column(column: Any, names: Sequence[str], what: str) -> _Taken:
    """A column of a Hugging Face dataset, which as a sequence is read row by row."""
    source, name = column.source, column.column_name
    if hasattr(column.features, "shape"):
        import numpy as np

        return _numpy(np.array(column[:]), what)  # a feature such as Array2D
    if is_number(getattr(column.features, "dtype", "")):
        raise numbers("datasets", name, what)
    if not hasattr(source, "with_format") or source.format["type"] == "custom":
        return _list(column[:], "datasets", what)
    table = source.select_columns([name]).with_format("arrow")[:]
    if table[name].num_chunks > 1 + len(table) // 1000:
        # Each row of a shuffled dataset is a chunk of its own.
        table = table.combine_chunks()
    taken = _take(table[name], names, what)
    return _Taken(taken.given, _listed, taken.rows)


def structured(columns: dict[str, Any], rows: int) -> Any:
    """The structured array of numpy of these columns."""
    import numpy as np

    table = np.empty(rows, [(name, column.dtype, column.shape[1:]) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table


def refused(value: Any, hint: str = "") -> WrongTypeError:
    """The error for an argument that is no array."""
    return WrongTypeError(f"{_EXPECTED}, found {_name(value)}{hint}")


def _types(value: Any, library: str, names: Sequence[str]) -> list[tuple[str, Any]]:
    """The names and types of the columns that are read, as far as the library tells them."""
    if library == "duckdb":
        columns = dict(zip(value.columns, value.types)) if hasattr(value, "types") else {}
    elif not hasattr(value, "__arrow_c_stream__") and not hasattr(value, "__arrow_c_array__"):
        columns = {}
    elif hasattr(value, "schema") and library in ("polars", "pyarrow"):
        schema = value.schema
        columns = dict(schema) if library == "polars" else dict(zip(schema.names, schema.types))
    elif library in ("polars", "pyarrow"):
        columns = {getattr(value, "name", None) or "puzzle": getattr(value, "dtype", None) or getattr(value, "type", None)}
    else:
        columns = {}
    names = list(columns) if len(columns) == 1 else names
    return [(name, columns[name]) for name in names if name in columns]


# pandas


def _pandas(value: Any, names: Sequence[str], what: str) -> _Taken:
    import pandas as pd
    import pyarrow as pa

    if isinstance(value, pd.DataFrame):
        has_all = all(name in value.columns for name in names)
        read = list(value.columns) if len(value.columns) == 1 else [*dict.fromkeys(names)] if has_all else []
        frame = value[read]
        if len(frame.columns) > len(read):
            raise ArrayError(f"several columns have the name {read[0]!r}")
        given = pa.table({str(it): _arrow(frame[it], str(it), what) for it in read})
        if not read and len(value.columns) == 81 and all(map(is_number, value.dtypes)):
            raise refused(value, " of 81 columns of numbers; write frame.to_numpy()")
        if not read:
            # The names are needed for the message.
            given = pa.table({str(it): pa.nulls(0) for it in value.columns})
        kinds = list(frame.dtypes)
    else:
        given = _arrow(value, str(getattr(value, "name", None) or "puzzle"), what)
        kinds = [value.dtype]
    is_arrow = any(isinstance(kind, pd.ArrowDtype) for kind in kinds)
    if isinstance(value, (pd.Series, pd.DataFrame)):
        name = value.name if isinstance(value, pd.Series) else None

        def back(result: Any) -> Any:
            found = _chunked(result)
            copies = len(found) // max(len(value), 1)
            index = value.index.repeat(copies) if copies > 1 else value.index
            if not pa.types.is_struct(found.type):
                return _series(found, is_arrow, index, name)
            columns = zip(found.type, found.flatten())
            # Its rows do not change the types of a frame, so that frames of several batches go together.
            data = {field.name: _series(it, is_arrow, index, has_nulls=True) for field, it in columns}
            return pd.DataFrame(data, index=index)

        return _Taken(given, back, len(value), value.index)

    def positions(result: Any) -> Any:
        return _series(_chunked(result), is_arrow).array

    return _Taken(given, positions, len(value))


def _arrow(column: Any, name: str, what: str) -> Any:
    """A column of pandas as pyarrow has it."""
    import pandas as pd
    import pyarrow as pa

    if is_number(column.dtype) and column.isna().all():
        return pa.chunked_array([pa.nulls(len(column))])
    if is_number(column.dtype):
        raise numbers("pandas", name, what)
    try:
        found = pa.chunked_array(pa.array(column, from_pandas=True))
        if is_number(found.type):
            raise numbers("pandas", name, what)
        return found
    except WrongTypeError:
        raise
    except (TypeError, OverflowError, pa.ArrowException) as error:
        found = pd.api.types.infer_dtype(column.astype(object).tolist(), skipna=True)
        if "integer" in found or found in ("floating", "decimal"):
            raise numbers("pandas", name, what) from None
        raise WrongTypeError(f"{_EXPECTED}, found a column of {found} values") from error


def _chunked(result: Any) -> Any:
    """A result as pyarrow has it. Exceptions of a stream arrive as they are."""
    import pyarrow as pa

    pieces = [result] if hasattr(result, "__arrow_c_array__") else list(result)
    return pa.chunked_array([pa.array(it) for it in pieces], pa.field(result).type)


def _series(found: Any, is_arrow: bool, index: Any = None, name: Any = None, has_nulls: bool = False) -> Any:
    """A series of these values. numpy's types where they have all values, else types of pandas with nulls."""
    import pandas as pd
    import pyarrow as pa

    has_nulls = has_nulls or found.null_count > 0
    text = pd.Series([""]).dtype
    text = text if isinstance(text, pd.StringDtype) else None

    def mapped(kind: Any) -> Any:
        if is_arrow or pa.types.is_nested(kind):
            return pd.ArrowDtype(kind)
        if has_nulls and pa.types.is_boolean(kind):
            return pd.BooleanDtype()
        if has_nulls and pa.types.is_integer(kind):
            return pd.Int64Dtype()
        # Without a type, a column without any text would not be one of texts.
        return text if kind in (pa.string(), pa.large_string(), pa.string_view()) else None

    series = found.to_pandas(types_mapper=mapped)
    if index is not None:
        series.index = index
    series.name = name
    return series


# numpy and torch


def _numpy(value: Any, what: str) -> _Taken:
    import numpy as np

    if isinstance(value, np.ma.MaskedArray):
        raise refused(value, "; write array.filled(0)")
    if not isinstance(value, np.ndarray):
        raise refused(value)
    if value.dtype.kind in "OUST":
        if value.ndim != 1:
            hint = _reshape(value)
            if hint and value.dtype.kind in "US":
                hint = '; write ["".join(row) for row in array.reshape(-1, 81)]'
            elif hint:
                hint = "; write array.tolist()"
            raise _refused_shape(value, hint)
        taken = _list(value.tolist(), "numpy", what)

        def back(result: Any) -> Any:
            array = np.asarray(result)
            if array.dtype.names:
                return result
            if array.dtype.kind == "f":
                # Numbers with nulls.
                return np.array(_listed(result), object)
            is_text = value.dtype.kind in "UST" and result._is_text and None not in array
            return array.astype(str) if is_text else array

        return _Taken(taken.given, back, len(value))
    if value.shape == (0,):
        # `numpy.array([])` has the type of numbers, and puzzles have the type that was given.
        return _Taken([], lambda result: value if np.asarray(result).dtype == object else result, 0)
    if value.dtype.kind not in "ui":
        is_shaped = value.shape[-1:] == (81,) or value.shape[-2:] == (9, 9)
        if value.dtype.kind == "f" and value.ndim < 3 and not is_shaped:
            raise numbers("numpy", what=what)
        raise refused(value, f" of {value.dtype}{f' that begins with {value.flat[0]}' if value.size else ''}")
    if value.ndim == 1 and (value.shape != (81,) or ((value < 0) | (value > 9)).any()):
        raise numbers("numpy", what=what)
    digits = value
    is_one = value.shape in ((81,), (9, 9))
    if is_one:
        digits = digits[np.newaxis]
    if digits.shape[1:] not in ((81,), (9, 9)):
        raise _refused_shape(value, _reshape(value))

    def digits_back(result: Any) -> Any:
        if isinstance(result, tuple):
            return tuple(map(digits_back, result))
        if isinstance(result, np.ndarray):
            result = result.astype(value.dtype, copy=False) if result.dtype == np.uint8 else result
            result = result.reshape(-1, 9, 9) if digits.ndim == 3 and result.ndim == 2 else result
            return result[0] if is_one and len(result) == 1 else result
        return result

    return _Taken(np.ascontiguousarray(digits, value.dtype.newbyteorder("=")), digits_back, len(digits))


def _reshape(value: Any) -> str:
    """How an array becomes one of shape (n, 81), if that can be told from its shape."""
    shape = [it for it in value.shape if it != 1]
    if shape[-1:] == [81] or shape[-2:] == [9, 9] and shape[-3:] != [9, 9, 9]:
        return "; write array.reshape(-1, 81)"
    if value.shape[-3:] == (9, 9, 10) or value.ndim == 3 and value.shape[1:] == (81, 10):
        return "; write array.argmax(-1) for cells of 10 values"
    return "; write array.T" if value.ndim == 2 and shape[0] == 81 and shape[-1:] != [10] else ""


def _refused_shape(value: Any, hint: str) -> WrongTypeError:
    return WrongTypeError(f"{_EXPECTED}, found shape {value.shape}{hint}")


def _torch(value: Any, what: str) -> _Taken:
    import torch

    if not isinstance(value, torch.Tensor) or value.dtype == torch.bool or value.dtype.is_floating_point or value.dtype.is_complex:
        first = f" that begins with {value.flatten()[0].item()}" if isinstance(value, torch.Tensor) and value.numel() else ""
        raise refused(value, f" of {getattr(value, 'dtype', 'no type')}{first}")
    taken = _numpy(value.detach().cpu().numpy(), what)
    listed = taken.back

    def back(result: Any) -> Any:
        result = listed(result) if listed else result
        if isinstance(result, tuple):
            return tuple(map(torch.as_tensor, result))
        # What no tensor can hold is an `Array`, and texts are an array of numpy.
        if hasattr(result, "dtype") and result.dtype.kind != "U":
            return torch.as_tensor(result).to(value.device)
        return result

    return _Taken(taken.given, back, taken.rows)


# Lists


def _list(values: list[Any], library: str, what: str) -> _Taken:
    """A list of texts, of rows of digits, or the digits of one puzzle."""
    kinds = set(map(type, values))
    if not kinds <= {str, type(None)}:
        values = [None if _is_missing(it) else bytes(it) if isinstance(it, (bytearray, memoryview)) else it for it in values]
        kinds = {type(it) for it in values if it is not None}
    is_text, quotes = kinds in ({str}, {bytes}), 'b""' if bytes in kinds else '""'
    if len(values) == 81 and is_text and all(len(it) == 1 for it in values):
        raise WrongTypeError(f"{_EXPECTED}, found a list of 81 cells; write [{quotes}.join(puzzle)]")
    if len(values) == 9 and is_text and all(len(it) == 9 for it in values):
        raise WrongTypeError(f"{_EXPECTED}, found a list of 9 rows; write [{quotes}.join(puzzle)]")
    if all(issubclass(it, (str, type(None))) for it in kinds) or all(issubclass(it, bytes) for it in kinds):
        return _Taken(values, _listed, len(values))
    if all(hasattr(it, "__index__") and not hasattr(it, "__len__") and it is not bool for it in kinds):
        if len(values) == 81 and all(0 <= it <= 9 for it in values if it is not None) and None not in values:
            return _Taken((*_digits(values), None), lambda result: _only(_listed(result)), 1)
        raise numbers(library, what=what)
    if kinds <= {int, float}:
        raise numbers(library, what=what)
    if all(hasattr(it, "__len__") and not issubclass(it, (str, bytes, dict)) for it in kinds):
        return _rows(values)
    names = " and ".join(sorted(it.__name__ for it in kinds))
    hint = "; write [row[name] for row in rows]" if all(issubclass(it, dict) for it in kinds) else ""
    raise WrongTypeError(f"{_EXPECTED}, found a list of {names}{hint}")


def _rows(values: list[Any]) -> _Taken:
    """A list of puzzles of 81 digits or of 9 rows of 9, or 9 rows of 9 digits."""
    values = [it.tolist() if hasattr(it, "tolist") else it for it in values]
    first: Any = next(iter(next((it for it in values if it is not None), [])), None)
    is_deep = hasattr(first, "__len__") and not isinstance(first, (str, bytes))
    lengths = {len(it) for it in values if it is not None}
    is_one = not is_deep and lengths == {9} and len(values) == 9 and None not in values
    if is_one:
        rows: list[Any] = [[cell for line in values for cell in line]]
    elif is_deep:
        try:
            rows = [None if it is None else [cell for line in it for cell in line] for it in values]
        except TypeError:
            rows = []
    else:
        rows = values
    if {9 if is_deep or is_one else 81} != lengths or any(it is not None and len(it) != 81 for it in rows) or not rows:
        raise WrongTypeError(f"{_EXPECTED}, found a list of lists that do not have 81 integers each")
    try:
        given = b"".join([bytes(81 if it is None else it) for it in rows]), "u1"
    except (TypeError, ValueError):
        given = _digits([cell for it in rows for cell in (it or bytes(81))])
    valid = None if None not in rows else [it is not None for it in rows]

    def back(result: Any) -> Any:
        found = _listed(result)
        if is_deep or is_one:
            found = [_square(it) if isinstance(it, list) and len(it) == 81 and isinstance(it[0], int) else it for it in found]
        return _only(found) if is_one else found

    return _Taken((*given, valid), back, len(rows))


def _only(values: list[Any]) -> Any:
    """The result for one puzzle, which may have several copies."""
    return values[0] if len(values) == 1 else values


def _square(cells: list[int]) -> list[list[int]]:
    return [cells[start : start + 9] for start in range(0, 81, 9)]


def _digits(cells: Sequence[Any]) -> tuple[bytes, str]:
    """Integers as bytes, and their type: of 8 bits if all fit."""
    try:
        return bytes(cells), "u1"
    except ValueError:
        return array("q", [max(-(1 << 62), min(int(it), 1 << 62)) for it in cells]).tobytes(), "i8"
    except TypeError:
        kinds = {type(it) for it in cells}
        hint = '; write ["".join(row) for row in puzzles]' if kinds <= {str} else ""
        if kinds <= {int, float, type(None)}:
            hint = "; write integers, 0 for a blank"
        names = " and ".join(sorted(it.__name__ for it in kinds))
        raise WrongTypeError(f"{_EXPECTED}, found lists of {names}{hint}") from None


def _is_missing(value: Any) -> bool:
    """Whether this stands for a null in some library."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or isinstance(value, float) and value != value


def _listed(result: Any) -> list[Any]:
    values: list[Any] = result.to_pylist()
    return values


def bucket_names(values: Any, column: str | None) -> list[str | None]:
    """The names of the buckets of rows: those of a column of a table, or without a column a value for each row."""
    try:
        return names(values if column is None else values[column])
    except (TypeError, IndexError):
        # A list has no column, and a number no values.
        raise WrongTypeError(
            'by: expected "clues", "grade", "er" or "er:0.5", the name of a column of a table, '
            "or a sequence with a value for each row"
        ) from None


def names(values: Any) -> list[str | None]:
    """The names of the buckets of rows: a value of any kind for each row."""
    library = _library(values)
    if library == "datasets":
        values = values[:]  # row by row it takes 20 times as long
    elif library == "duckdb":
        values = [value for (value,) in values.fetchall()]
    for to_list in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, to_list):
            values = getattr(values, to_list)()
            break
    return [None if _is_missing(value) or value != value else str(value) for value in values]
