"""Functions on arrays of every library."""

from typing import Any

import duckdb
import ninefold
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import BLANK, CLASH, EASY, MARKS, NONE, ROWS, SOLVED, TWO

SOLUTIONS = [None if it is None else SOLVED if it in (EASY, SOLVED, EASY.replace(".", "0")) else "" for it in ROWS]
STATUSES = [
    "unique", None, "multiple", "conflict", "none", "malformed", "malformed", "unique", "malformed", None, "unique",
]
WIDE = [it for it in ROWS if it is None or len(it) == 81]


def array(result: Any) -> pa.Array:
    """A result as one array of pyarrow."""
    if hasattr(result, "__arrow_c_array__"):
        return pa.array(result)
    chunked = pa.chunked_array(result)
    return chunked.combine_chunks() if chunked.num_chunks != 1 else chunked.chunk(0)


TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    *(pa.dictionary(key, pa.string()) for key in (pa.int8(), pa.int32(), pa.uint16(), pa.int64(), pa.uint64())),
    pa.dictionary(pa.int32(), pa.large_string()),
]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_texts_have_the_type_of_texts(kind: pa.DataType) -> None:
    puzzles = pa.array(ROWS).cast(kind) if not pa.types.is_dictionary(kind) else pa.array(ROWS).dictionary_encode().cast(kind)
    expected = kind if kind in TYPES[:3] else pa.string()
    solved = pa.array(ninefold.solve_array(puzzles, limit=2))
    assert solved.type == expected
    solved.validate(full=True)
    assert solved.to_pylist() == SOLUTIONS
    details = pa.array(ninefold.solve_array(puzzles, limit=2, details=True))
    details.validate(full=True)
    assert [field.name for field in details.type] == ["solution", "status", "solutions", "reason"]
    assert details.type.field("solution").type == expected
    assert details.field("status").to_pylist() == STATUSES
    assert details.field("solutions").to_pylist() == [1, None, 2, 0, 0, None, None, 1, None, None, 1]
    assert details.is_null().to_pylist() == [it is None for it in ROWS]
    # Each way to say the same.
    assert ninefold.solve_array(puzzles, limit=2).to_pylist() == solved.to_pylist()
    assert ninefold.solve_array(puzzles, limit=2, details=True).to_pylist() == details.to_pylist()


def test_fixed_size_binary() -> None:
    puzzles = pa.array([it and it.encode() for it in WIDE], pa.binary(81))
    solved = pa.array(ninefold.solve_array(puzzles, limit=2))
    assert solved.type == pa.string()
    expected = [it and (SOLVED if it in (EASY, SOLVED, EASY.replace(".", "0")) else "") for it in WIDE]
    assert solved.to_pylist() == expected
    details = pa.array(ninefold.solve_array(puzzles, limit=2, details=True))
    assert details.field("solution").to_pylist() == [it or None for it in expected]
    assert pa.array(ninefold.solve_array(pa.array([b"5"], pa.binary(1)))).to_pylist() == [""]


def test_lists_of_digits() -> None:
    digits = [None if it is None else [int(cell) if cell.isdigit() else 0 for cell in it] for it in (EASY, None, TWO)]
    puzzles = pa.array(digits, pa.list_(pa.uint8(), 81))
    solved = pa.array(ninefold.solve_array(puzzles, limit=2))
    assert solved.type == pa.list_(pa.field("item", pa.uint8(), nullable=False), 81)
    assert solved.to_pylist() == [[int(it) for it in SOLVED], None, [0] * 81]
    cells = digits[0] and [None, *digits[0][1:]]
    details = ninefold.solve_array(pa.array([cells], pa.list_(pa.uint8(), 81)), details=True)
    assert details.to_pylist()[0]["reason"] == "row 1 column 1: expected 0 to 9, found null or a number that is no digit"
    series = pl.Series(digits, dtype=pl.Array(pl.UInt8, 81))
    assert pl.Series(ninefold.solve_array(series, limit=2)).to_list() == solved.to_pylist()


def test_only_nulls_and_nothing() -> None:
    for kind in (pa.null(), pa.string(), pa.dictionary(pa.int8(), pa.string())):
        nulls = pa.nulls(3, kind)
        assert pa.array(ninefold.solve_array(nulls)).type == pa.string()
        assert ninefold.solve_array(nulls).to_pylist() == [None] * 3
        assert ninefold.count_array(nulls, 2).to_pylist() == [None] * 3
        assert ninefold.solve_array(nulls, details=True).to_pylist() == [None] * 3
        for empty in (nulls[:0], nulls[3:]):
            assert pa.array(ninefold.solve_array(empty)).type == pa.string()
            assert len(ninefold.solve_array(empty)) == 0
            assert len(ninefold.rate_array(empty)) == 0
            assert len(ninefold.steps_array(empty)) == 0
    assert pa.chunked_array(ninefold.solve_array(pa.chunked_array([], pa.string()))).length() == 0
    assert pl.Series(ninefold.solve_array(pl.Series([], dtype=pl.String))).to_list() == []
    assert pl.Series(ninefold.solve_array(pl.Series([None, None]))).to_list() == [None, None]


def test_every_slice() -> None:
    for kind in (pa.string(), pa.string_view(), pa.large_binary()):
        puzzles = pa.array(ROWS).cast(kind)
        whole = pa.array(ninefold.solve_array(puzzles, limit=2)).to_pylist()
        for start in range(len(ROWS) + 1):
            for end in range(start, len(ROWS) + 1):
                piece = pa.array(ninefold.solve_array(puzzles[start:end], limit=2))
                assert piece.to_pylist() == whole[start:end]


def test_the_other_functions() -> None:
    puzzles = pa.array(ROWS)
    assert ninefold.count_array(puzzles, 5).to_pylist() == [1, None, 2, 0, 0, -1, -1, 1, -1, None, 1]
    counts = pa.array(ninefold.count_array(puzzles, 5, details=True))
    assert counts.field("status").to_pylist() == STATUSES
    assert counts.field("reason").to_pylist()[2] == "2 solutions"
    assert ninefold.is_unique_array(puzzles).to_pylist() == [
        None if it is None else it == "unique" for it in STATUSES
    ]
    lists = ninefold.solutions_array(puzzles, 5).to_pylist()
    for row, found in zip(ROWS, lists):
        try:
            assert found == (None if row is None else ninefold.solutions(row, 5))
        except ninefold.MalformedError:
            assert found == []
    listed = pa.array(ninefold.solutions_array(pa.array([BLANK, TWO, "x", None]), 2, details=True))
    assert listed.field("status").to_pylist() == ["multiple", "multiple", "malformed", None]
    assert listed.field("reason").to_pylist()[:2] == ["more than 2 solutions", None]
    steps = pa.array(ninefold.steps_array(puzzles, details=True))
    assert steps.field("status").to_pylist() == STATUSES
    assert [it if it is None else len(it) for it in steps.field("steps").to_pylist()] == [51, None, 0, 0, 0, 0, 0, 0, 0, None, 51]
    field = pa.field("item", steps.field("steps").type.value_type).type.field
    assert field("score").type == pa.float64() and field("chains").type == pa.list_(pa.list_(pa.string()))
    forms = ninefold.canonical_array(puzzles).to_pylist()
    for row, form in zip(ROWS, forms):
        try:
            assert form == (None if row is None else ninefold.canonical(row))
        except ninefold.MalformedError:
            assert form == ""
    forms = pa.array(ninefold.canonical_array(puzzles, form="solution", details=True))
    assert forms.field("status").to_pylist() == [it and it.replace("unique", "canonical") for it in STATUSES]
    map = ninefold.Isomorphism.parse(forms.field("map")[0].as_py())
    assert map.apply(EASY) == forms.field("form")[0].as_py()
    rates = pa.array(ninefold.rate_array(puzzles))
    assert rates.field("status").to_pylist() == STATUSES
    assert rates.field("er").to_pylist()[:3] == [1.2, None, None]
    grades = pa.array(ninefold.rate_array(puzzles, measures=["grade"]))
    assert grades.field("er").null_count == len(ROWS)
    assert grades.field("grade").to_pylist()[0] == "naked-singles"


def test_two_columns() -> None:
    puzzles, answers = pa.array([EASY, TWO, EASY, "x", None, EASY]), pa.array([SOLVED, SOLVED, EASY, SOLVED, SOLVED, None])
    right = [True, True, False, False, None, None]
    assert ninefold.verify_array(puzzles, answers).to_pylist() == right
    details = pa.array(ninefold.verify_array(puzzles, answers, details=True))
    assert details.field("status").to_pylist() == ["right", "right", "wrong", "malformed", None, None]
    assert details.field("reason").to_pylist()[2:4] == [
        "row 1 column 3 is blank",
        "puzzle: column 1: expected 1 to 9, '.' or '0', found 'x'",
    ]
    table = pa.table({"puzzle": puzzles, "solution": answers, "n": range(6)})
    assert array(ninefold.verify_array(table)).to_pylist() == right
    assert array(ninefold.verify_array(table, column="solution", answer_column="solution")).to_pylist()[:2] == [True, True]
    frame = pl.DataFrame(table)
    assert pl.Series(ninefold.verify_array(frame["puzzle"], frame["solution"])).to_list() == right
    # Pieces of different lengths, and an array beside a stream.
    one = pa.chunked_array([puzzles[:1], puzzles[1:1], puzzles[1:4], puzzles[4:]])
    other = pa.chunked_array([answers[:3], answers[3:5], answers[5:]])
    assert array(ninefold.verify_array(one, other)).to_pylist() == right
    assert array(ninefold.verify_array(one, answers)).to_pylist() == right
    assert array(ninefold.verify_array(puzzles, other)).to_pylist() == right
    encoded = puzzles.dictionary_encode()
    assert ninefold.verify_array(encoded, answers.cast(pa.large_string())).to_pylist() == right
    with pytest.raises(ninefold.ArrayError, match="found 6 and 5 rows"):
        ninefold.verify_array(puzzles, answers[1:])
    with pytest.raises(ninefold.ArrayError, match="found 6 and 5 rows"):
        list(ninefold.verify_array(one, answers[1:]))
    with pytest.raises(ninefold.ArrayError, match='no column "solution"'):
        ninefold.verify_array(pa.table({"puzzle": puzzles}))
    form = ninefold.canonical(EASY)
    maps = ninefold.isomorphism_array(pa.array([EASY, EASY, None, "x"]), pa.array([form, TWO, EASY, EASY]))
    assert maps.to_pylist()[1:] == ["", None, ""]
    assert ninefold.Isomorphism.parse(maps.to_pylist()[0]).apply(EASY) == form


def test_polars() -> None:
    series = pl.Series("puzzle", ROWS)
    assert pl.Series(ninefold.solve_array(series, limit=2)).to_list() == SOLUTIONS
    frame = pl.DataFrame({"n": range(len(ROWS)), "puzzle": ROWS, "nothing": [None] * len(ROWS)})
    details = pl.Series(ninefold.solve_array(frame, limit=2, details=True)).alias("it")
    assert frame.with_columns(details).unnest("it")["status"].to_list() == STATUSES
    categories = series.cast(pl.Categorical)
    solved = pl.Series(ninefold.solve_array(categories, limit=2))
    assert solved.cast(pl.String).to_list() == SOLUTIONS

    def solve(batch: pl.Series) -> pl.Series:
        return pl.Series(ninefold.solve_array(batch, limit=2))

    lazy = frame.lazy().with_columns(
        pl.col("puzzle").map_batches(solve, return_dtype=pl.String, is_elementwise=True).alias("solution")
    )
    assert lazy.collect()["solution"].to_list() == SOLUTIONS


def test_pandas() -> None:
    for series in (pd.Series(ROWS), pd.Series(ROWS, dtype="string[pyarrow]"), pd.Series(ROWS, dtype=object)):
        solved = pd.Series.from_arrow(ninefold.solve_array(series, limit=2))
        assert [None if pd.isna(it) else it for it in solved] == SOLUTIONS
    frame = pd.DataFrame({"puzzle": ROWS, "n": range(len(ROWS))})
    details = pa.table(pa.chunked_array(ninefold.solve_array(frame, limit=2, details=True)).combine_chunks().flatten(), ["a", "b", "c", "d"]).to_pandas()
    assert [None if pd.isna(it) else it for it in details["b"]] == STATUSES


def test_duckdb() -> None:
    frame = pa.table({"puzzle": ROWS, "n": range(len(ROWS))})
    relation = duckdb.sql("select * from frame order by n")
    assert array(ninefold.solve_array(relation, limit=2)).to_pylist() == SOLUTIONS
    connection = duckdb.connect()

    def solve(puzzles: pa.ChunkedArray) -> pa.ChunkedArray:
        return pa.chunked_array(ninefold.solve_array(puzzles, limit=2))

    connection.create_function("solve", solve, ["VARCHAR"], "VARCHAR", type="arrow", null_handling="special")
    found = connection.sql("select solve(puzzle) from frame order by n").fetchall()
    assert [it for (it,) in found] == SOLUTIONS
    result = ninefold.solve_array(pa.array(ROWS), limit=2, details=True)
    solved = pa.Table.from_struct_array(pa.array(result))
    assert solved.num_rows == len(ROWS)
    counts = dict(duckdb.sql("select status, count(*) from solved group by 1").fetchall())
    assert counts["unique"] == STATUSES.count("unique")


def test_numpy() -> None:
    digits = np.array([[int(it) if it.isdigit() else 0 for it in row] for row in (EASY, TWO, CLASH, SOLVED)], np.uint8)
    solved = ninefold.solve_array(digits, limit=2)
    assert isinstance(solved, np.ndarray) and solved.dtype == np.uint8 and solved.shape == (4, 81)
    answer = [int(it) for it in SOLVED]
    assert solved.tolist() == [answer, [0] * 81, [0] * 81, answer]
    solved[0, 0] = 1  # it is the caller's
    square = digits.reshape(-1, 9, 9)
    for layout in (square, np.asfortranarray(square), square[::-1][::-1]):
        assert ninefold.solve_array(layout, limit=2).shape == (4, 9, 9)
        assert ninefold.solve_array(layout, limit=2).reshape(4, 81).tolist() == [answer, [0] * 81, [0] * 81, answer]
    assert ninefold.solve_array(digits[::3], limit=2).tolist() == [answer, answer]
    assert ninefold.solve_array(digits[:0]).shape == (0, 81)
    assert ninefold.solve_array(square[:0]).shape == (0, 9, 9)
    counts = ninefold.count_array(digits, 5)
    assert counts.dtype == np.int64 and counts.tolist() == [1, 2, 0, 1]
    unique = ninefold.is_unique_array(digits)
    assert unique.dtype == np.bool_ and unique.tolist() == [True, False, False, True]
    assert ninefold.canonical_array(square).shape == (4, 9, 9)
    assert ninefold.verify_array(digits, ninefold.solve_array(digits)).tolist() == [True, True, False, True]
    details = pa.array(ninefold.solve_array(digits, limit=2, details=True))
    assert details.field("status").to_pylist() == ["unique", "multiple", "conflict", "unique"]
    digits[1, 3] = 17
    details = pa.array(ninefold.solve_array(digits, details=True))
    assert details.field("reason")[1].as_py() == "row 1 column 4: expected 0 to 9, found 17"
    view = memoryview(bytearray(digits[:1].tobytes())).cast("B", (1, 81))
    assert ninefold.solve_array(view).to_pylist() == [answer]


def test_tables() -> None:
    table = pa.table({"n": range(len(ROWS)), "quiz": ROWS})
    assert array(ninefold.solve_array(table, column="quiz", limit=2)).to_pylist() == SOLUTIONS
    batch = table.to_batches()[0].slice(2, 5)
    assert ninefold.solve_array(batch, column="quiz", limit=2).to_pylist() == SOLUTIONS[2:7]
    assert array(ninefold.solve_array(table.select(["quiz"]), limit=2)).to_pylist() == SOLUTIONS
    with pytest.raises(ninefold.ArrayError, match='no column "puzzle"; name one of the columns "n", "quiz"'):
        ninefold.solve_array(table)
    with pytest.raises(ninefold.ArrayError, match='no column "clues"; the columns are "n", "quiz"'):
        ninefold.solve_array(table, column="clues")
    with pytest.raises(ninefold.ArrayError, match="the puzzles are numbers"):
        ninefold.solve_array(table, column="n")
    with pytest.raises(ninefold.ArrayError, match="expected a table with columns"):
        ninefold.solve_array(pa.array(ROWS), column="quiz")
    nulls = pa.StructArray.from_arrays([pa.array(ROWS)], ["puzzle"], mask=pa.array([True] + [False] * (len(ROWS) - 1)))
    assert ninefold.solve_array(nulls, limit=2).to_pylist() == [None, *SOLUTIONS[1:]]


def test_streams(tmp_path: Any) -> None:
    path = tmp_path / "puzzles.parquet"
    pq.write_table(pa.table({"puzzle": ROWS * 100}), path, row_group_size=64)
    batches = pq.ParquetFile(path).iter_batches(batch_size=50)
    reader = pa.RecordBatchReader.from_batches(pa.schema({"puzzle": pa.string()}), batches)
    stream = ninefold.solve_array(reader, limit=2)
    first = next(stream)
    assert isinstance(first, ninefold.Array) and first.to_pylist() == (SOLUTIONS * 100)[: len(first)]
    rest = pa.chunked_array(stream)
    assert rest.num_chunks > 1 and rest.to_pylist() == (SOLUTIONS * 100)[len(first) :]
    with pytest.raises(ValueError, match="already consumed"):
        pa.chunked_array(stream)
    with pytest.raises(ValueError, match="already consumed"):
        next(stream)
    with pytest.raises((ninefold.ArrayError, ValueError)):
        # The reader is empty now.
        assert pa.chunked_array(ninefold.solve_array(reader)).length() > 0 or (_ for _ in ()).throw(ValueError)


def test_an_error_of_a_producer_arrives() -> None:
    def batches() -> Any:
        yield pa.record_batch({"puzzle": [EASY]})
        raise RuntimeError("the disk is gone")

    schema = pa.schema({"puzzle": pa.string()})
    stream = ninefold.solve_array(pa.RecordBatchReader.from_batches(schema, batches()))
    assert next(stream).to_pylist() == [SOLVED]
    with pytest.raises(ninefold.ArrayError, match="the disk is gone"):
        next(stream)
    stream = ninefold.solve_array(pa.RecordBatchReader.from_batches(schema, batches()))
    with pytest.raises(Exception, match="the disk is gone"):
        pa.chunked_array(stream)


@pytest.mark.parametrize("wrong", [EASY, 17, None, object(), np.zeros((2, 80), np.uint8), np.zeros((2, 81)), np.zeros(80, np.uint8)[:, None]], ids=repr)
def test_what_is_no_array(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected an Arrow array or stream"):
        ninefold.solve_array(wrong)


def test_results_can_be_given_again() -> None:
    once = ninefold.solve_array(pa.array(ROWS))
    assert ninefold.solve_array(once).to_pylist() == once.to_pylist()
    stream = ninefold.solve_array(ninefold.solve_array(pl.Series(ROWS)))
    assert pl.Series(stream).to_list() == once.to_pylist()
    assert pa.field(once).type == pa.string()
    assert pa.array(once).equals(pa.array(once))


@pytest.mark.parametrize("threads", [0, 2, 5])
def test_threads_change_nothing(threads: int) -> None:
    puzzles = pa.array((ROWS + ninefold.generate(50, seed=1)) * 200)
    for call in (
        lambda **more: ninefold.solve_array(puzzles, details=True, **more),
        lambda **more: ninefold.canonical_array(puzzles[:3000], details=True, **more),
        lambda **more: ninefold.rate_array(puzzles[:600], **more),
        lambda **more: ninefold.solutions_array(puzzles[:600], 3, details=True, **more),
    ):
        assert pa.array(call(threads=threads)).equals(pa.array(call()))
