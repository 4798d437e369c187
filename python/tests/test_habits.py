"""What people write without reading: pandas with an index, lists, numbers, pickles, progress bars."""

import copy
import decimal
import io
import multiprocessing
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import duckdb
import ninefold
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest
from conftest import BLANK, EASY, MARKS, NONE, ROWS, SOLVED, TWO

DIGITS = [[int(it) if it.isdigit() else 0 for it in row] for row in (EASY, TWO, SOLVED)]
ANSWERS = [[int(it) for it in SOLVED], [0] * 81, [int(it) for it in SOLVED]]
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

# Each function with one column, with its options.
FUNCTIONS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (ninefold.solve_array, {"limit": 2}),
    (ninefold.count_array, {"limit": 5}),
    (ninefold.is_unique_array, {}),
    (ninefold.solutions_array, {"limit": 3}),
    (ninefold.minimize_array, {"seed": 7}),
    (ninefold.canonical_array, {}),
    (ninefold.steps_array, {"boards": True}),
]


def plain(value: Any) -> Any:
    """A value without a library's ways to write null and lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list):
        return value
    return None if pd.isna(value) else value.item() if isinstance(value, np.generic) else value


SERIES = [
    pd.Series(ROWS),
    pd.Series(ROWS, dtype=object),
    pd.Series(ROWS, dtype="string"),
    pd.Series(ROWS, dtype=pd.ArrowDtype(pa.string())),
    pd.Series(ROWS, dtype="category"),
]


@pytest.mark.parametrize("series", SERIES, ids=lambda it: str(it.dtype))
def test_pandas_keeps_the_index(series: "pd.Series[Any]") -> None:
    shuffled = series.sample(frac=0.7, random_state=1)
    labels = shuffled.set_axis([f"row {it}" for it in shuffled.index])
    twice = pd.concat([shuffled, shuffled])
    for function, options in FUNCTIONS:
        expected = function(pa.array(ROWS), **options).to_pylist()
        for column in (series, shuffled, labels, twice, shuffled[:0]):
            frame = pd.DataFrame({"n": range(len(column)), "q": column})
            positions = [int(str(it).removeprefix("row ")) for it in column.index]
            for result in (
                function(frame.q, **options),
                function(frame, column="q", **options),
                function(frame[["q"]], **options),
            ):
                assert isinstance(result, pd.Series) and result.index.equals(frame.index)
                assert [plain(it) for it in result] == [expected[it] for it in positions]
                frame["s"] = result
                assert [plain(it) for it in frame.s] == [expected[it] for it in positions]
            frame["a"] = function(frame.q.array, **options)
            assert [plain(it) for it in frame.a] == [expected[it] for it in positions]
            details = function(frame.q, details=True, **options)
            assert isinstance(details, pd.DataFrame) and details.index.equals(frame.index)
            rows = function(pa.array(ROWS), details=True, **options).to_pylist()
            for name in details.columns:
                wanted = [rows[it] and rows[it][name] for it in positions]
                assert [plain(it) for it in details[name]] == wanted
            frame["d"] = function(frame.q.array, details=True, **options)
            found = [None if it is pd.NA else it for it in frame.d]
            assert found == [rows[it] for it in positions]


def test_pandas_with_two_columns() -> None:
    frame = pd.DataFrame({"puzzle": [EASY, TWO, EASY, None], "solution": [SOLVED, SOLVED, EASY, SOLVED]}, index=[9, 3, 7, 1])
    right = [True, True, False, None]
    for result in (
        ninefold.verify_array(frame),
        ninefold.verify_array(frame.puzzle, frame.solution),
        ninefold.verify_array(frame.rename(columns={"puzzle": "q"}), column="q"),
        ninefold.verify_array(frame.puzzle, frame.solution.tolist()),
    ):
        assert result.index.equals(frame.index) and [plain(it) for it in result] == right
    details = ninefold.verify_array(frame, details=True)
    assert details.loc[7, "status"] == "wrong" and details.index.equals(frame.index)
    assert ninefold.verify_array(frame.puzzle, ninefold.solve_array(frame.puzzle)).tolist()[:3] == [True] * 3
    other = frame.solution.sort_index()
    with pytest.raises(ninefold.ArrayError, match="the indexes of the puzzles and the answers differ"):
        ninefold.verify_array(frame.puzzle, other)
    with pytest.raises(ninefold.ArrayError, match="the indexes of the puzzles and the other puzzles differ"):
        ninefold.isomorphism_array(frame.puzzle, other)
    by_position = ninefold.verify_array(frame.puzzle.array, frame.solution.array)
    assert [plain(it) for it in by_position] == right


def test_ratings_of_pandas_are_a_frame() -> None:
    frame = pd.DataFrame({"q": [EASY, BLANK, HARD, None]}, index=[8, 6, 4, 2])
    joined = frame.join(ninefold.rate_array(frame.q, threads=0, max_er=6.2))
    assert joined.er.dtype == np.float64 and joined.er[8] == 1.2 and joined.er.isna().tolist() == [False, True, True, True]
    assert joined.reason[4] == "above 6.2" and joined.status[4] == "unique"
    assert joined.reason[6] == "more than one solution"
    assert (joined.er > 1).tolist() == [True, False, False, False]


def test_other_columns_of_a_frame_may_be_anything() -> None:
    frame = pd.DataFrame({"puzzle": [EASY, TWO], "n": [1, "two"], "o": [object(), {}]})
    assert ninefold.count_array(frame, 5).tolist() == [1, 2]
    with pytest.raises(ninefold.ArrayError, match='no column "clues"; the columns are "puzzle", "n", "o"'):
        ninefold.count_array(frame, 5, column="clues")


def test_values_of_pandas_have_the_types_of_pandas() -> None:
    whole, gaps = pd.Series([EASY, TWO]), pd.Series([EASY, None])
    assert ninefold.count_array(whole, 5).dtype == np.int64
    assert ninefold.count_array(gaps, 5).dtype == pd.Int64Dtype()
    assert ninefold.is_unique_array(whole).dtype == np.bool_
    assert ninefold.is_unique_array(gaps).dtype == pd.BooleanDtype()
    assert ninefold.solve_array(whole).dtype == whole.dtype
    for frame in (ninefold.solve_array(it, details=True) for it in (whole, gaps, gaps[:0])):
        assert frame.solutions.dtype == pd.Int64Dtype()
    for frame in (ninefold.evaluate(it, it, details=True)[1] for it in (whole, gaps, gaps[:0])):
        assert frame.right_cells.dtype == pd.Int64Dtype() and frame.exact.dtype == pd.BooleanDtype()
    assert isinstance(ninefold.count_array(gaps.astype(pd.ArrowDtype(pa.string())), 5).dtype, pd.ArrowDtype)


def test_a_stream_is_consumed_once() -> None:
    puzzles = pa.chunked_array([ROWS[:4], ROWS[4:]])
    stream = ninefold.solve_array(puzzles, limit=2)
    first = stream.to_pylist()
    assert len(first) == len(ROWS)
    for again in (stream.to_pylist, lambda: pa.chunked_array(stream), lambda: list(stream), lambda: pl.Series(stream)):
        with pytest.raises(ValueError, match="already consumed"):
            again()
    stream = ninefold.solve_array(puzzles, limit=2)
    assert sum(map(len, stream)) == len(ROWS)
    assert next(stream, None) is None and next(stream, None) is None
    for again in (stream.to_pylist, lambda: pa.chunked_array(stream), lambda: list(stream)):
        with pytest.raises(ninefold.ArrayError, match="already consumed"):
            again()
    empty = ninefold.solve_array(pa.chunked_array([], pa.string()))
    assert empty.to_pylist() == []
    with pytest.raises(ninefold.ArrayError, match="already consumed"):
        empty.to_pylist()


# Numbers instead of text.

ZEROS = "0043002090050090010700600430060020871900074000500830006000001050035086900429" + "10300"
CSV = f"quizzes,solutions\n{ZEROS},{ninefold.solve(ZEROS)}\n"
READ = "the puzzles are numbers; read the column as text: "


def numbers(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(ninefold.SudokuError) as raised:
        call()
    assert isinstance(raised.value, (ValueError, TypeError))
    assert READ + words in str(raised.value)


def test_numbers_of_pandas() -> None:
    frame = pd.read_csv(io.StringIO(CSV))
    gaps = pd.concat([frame, pd.DataFrame({"quizzes": [None], "solutions": [None]})])
    for function, options in [*FUNCTIONS, (ninefold.rate_array, {})]:
        for given in (frame.quizzes, frame.quizzes.array, frame[["quizzes"]], gaps.quizzes, pd.Series([5, 3]), pd.Series([5.5])):
            numbers(lambda: function(given, **options), "pd.read_csv(..., dtype=str)")
        numbers(lambda: function(frame, column="quizzes", **options), "pd.read_csv(..., dtype=str)")
    numbers(lambda: frame.quizzes.map(ninefold.solve), "pd.read_csv(..., dtype=str)")
    numbers(lambda: ninefold.solve(frame.quizzes[0]), "pd.read_csv(..., dtype=str)")
    numbers(lambda: ninefold.verify(ZEROS, frame.solutions[0]), "pd.read_csv(..., dtype=str)")
    text = pd.read_csv(io.StringIO(CSV), dtype=str)
    assert ninefold.verify_array(text, column="quizzes", answer_column="solutions").tolist() == [True]
    with pytest.raises(ninefold.SudokuError, match="the answers are numbers; read the column as text: pd.read_csv"):
        ninefold.verify_array(text.quizzes, frame.solutions)


def test_numbers_of_polars() -> None:
    frame = pl.DataFrame({"quizzes": pl.Series([5, None], dtype=pl.Int128), "n": [1.5, 2.0]})
    for given in (frame["quizzes"], frame[["quizzes"]], frame["n"], frame["quizzes"].cast(pl.Decimal(38, 0))):
        numbers(lambda: ninefold.solve_array(given), "pl.read_csv(..., infer_schema=False)")
    numbers(lambda: ninefold.solve_array(frame, column="quizzes"), "pl.read_csv(..., infer_schema=False)")
    text = pl.read_csv(io.StringIO(CSV), infer_schema=False)
    assert pl.Series(ninefold.is_unique_array(text, column="quizzes")).to_list() == [True]


def test_numbers_of_duckdb(tmp_path: Any) -> None:
    path = tmp_path / "sudoku.csv"
    path.write_text(CSV)
    relation = duckdb.read_csv(str(path))
    assert "BIGNUM" in map(str, relation.types)
    numbers(lambda: ninefold.solve_array(relation, column="solutions"), "duckdb.read_csv(..., all_varchar=True)")
    numbers(lambda: ninefold.solve_array(duckdb.sql("select 53::hugeint as puzzle")), "duckdb.read_csv(..., all_varchar=True)")
    numbers(lambda: ninefold.solve_array(relation.to_arrow_table()["solutions"]), "pyarrow.csv.read_csv(")
    text = duckdb.read_csv(str(path), all_varchar=True)
    assert pa.chunked_array(ninefold.is_unique_array(text, column="quizzes")).to_pylist() == [True]


def test_numbers_of_pyarrow() -> None:
    table = pa.csv.read_csv(io.BytesIO(CSV.encode()))
    for given in (table["quizzes"], table.select(["quizzes"]), pa.array([5, 3]), pa.array([5, 3]).dictionary_encode()):
        numbers(lambda: ninefold.solve_array(given), "pyarrow.csv.read_csv(...")
    numbers(
        lambda: ninefold.solve_array(table, column="quizzes"),
        'pyarrow.csv.read_csv(..., convert_options=pyarrow.csv.ConvertOptions(column_types={"quizzes": "string"}))',
    )
    options = pa.csv.ConvertOptions(column_types={"quizzes": "string"})
    text = pa.csv.read_csv(io.BytesIO(CSV.encode()), convert_options=options)
    assert pa.chunked_array(ninefold.is_unique_array(text, column="quizzes")).to_pylist() == [True]


def test_numbers_of_numpy_and_lists() -> None:
    values = [int(ZEROS), int(ninefold.solve(ZEROS))]
    for given in (np.array(values, object), np.array([5.5, 7.0]), np.array([53, 17]), np.full(81, 10)):
        numbers(lambda: ninefold.solve_array(given), "numpy.loadtxt(..., dtype=str)")
    for listed in (values, [*values, None], [5.0, 3.0], [EASY, 17], [10] * 81):
        if EASY in listed:
            with pytest.raises(ninefold.WrongTypeError, match="found a list of int and str"):
                ninefold.solve_array(listed)
        else:
            numbers(lambda: ninefold.solve_array(listed), "pd.read_csv(..., dtype=str)")
    read = np.loadtxt(io.StringIO(CSV), dtype=str, delimiter=",", skiprows=1, ndmin=2)
    assert ninefold.is_unique_array(read[:, 0]).tolist() == [True]


# Pickles.


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_ratings_and_maps_are_pickled() -> None:
    for rating in (ninefold.rate(EASY), ninefold.rate(HARD), ninefold.rate(EASY, measures=["grade"])):
        assert pickled(rating) == rating == copy.deepcopy(rating)
        assert repr(pickled(rating)) == repr(rating)
        assert eval(repr(rating), {"Rating": ninefold.Rating}) == rating
    form = ninefold.canonical(EASY)
    map = ninefold.isomorphism(EASY, form)
    assert map is not None and pickled(map) == map == copy.copy(map)
    assert pickled(map).apply(EASY) == form


@pytest.mark.parametrize("size", [0, 1, len(ROWS), 3000])
def test_arrays_are_pickled(size: int) -> None:
    rows = (ROWS * 300)[:size]
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.large_binary(), pa.dictionary(pa.int32(), pa.string())):
        text = pa.array(rows, pa.string())
        puzzles = text.dictionary_encode() if pa.types.is_dictionary(kind) else text.cast(kind)
        for result in (
            ninefold.solve_array(puzzles, limit=2),
            ninefold.solve_array(puzzles, limit=2, details=True),
            ninefold.solve_array(puzzles[size // 3 :], limit=2, details=True),
            ninefold.solutions_array(puzzles, 2),
            ninefold.rate_array(puzzles[:20]),
            ninefold.is_unique_array(puzzles),
        ):
            again = pickled(result)
            assert isinstance(again, ninefold.Array) and len(again) == len(result)
            assert pa.array(again).equals(pa.array(result)) and pa.array(again).type == pa.array(result).type
            pa.array(again).validate(full=True)
    many = ninefold.solve_array(pa.array([EASY] * 1000))
    assert pickled(many[7:9]).to_pylist() == many[7:9].to_pylist()
    assert len(pickle.dumps(many[7:9])) < 1000, "the other rows are left out"
    digits = ninefold.solve_array(pa.array(DIGITS, pa.list_(pa.uint8(), 81)))
    assert pickled(digits).to_pylist() == digits.to_pylist()
    fixed = ninefold.solve_array(pa.array([EASY.encode(), None], pa.binary(81)))
    assert pickled(fixed).to_pylist() == fixed.to_pylist()
    nothing = ninefold.solve_array(pa.nulls(2))
    assert pickled(nothing).to_pylist() == [None, None]


def test_what_is_no_pickle_of_an_array_is_refused() -> None:
    call, (state,) = ninefold.solve_array(pa.array(ROWS)).__reduce__()
    kind, (rows, nulls, buffers, children) = state
    wrong: Any
    for wrong in (
        (kind, (rows + 1, nulls, buffers, children)),
        (kind, (rows, nulls, buffers[:1], children)),
        (kind, (rows, nulls, [buffers[0][::-1], buffers[1]], children)),
        (("+s", "", 2, [kind]), (rows, nulls, [], [])),
    ):
        with pytest.raises(ninefold.ArrayError):
            call(wrong)


def test_a_pool_of_processes() -> None:
    puzzles = [EASY, TWO.replace("9", "."), HARD][::2]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(ninefold.rate, puzzles) == [ninefold.rate(it) for it in puzzles]
        assert pool.map(ninefold.solve, puzzles) == [ninefold.solve(it) for it in puzzles]
        (solved,) = pool.map(ninefold.solve_array, [ninefold.generate_array(3, seed=1)])
        assert solved.to_pylist() == ninefold.solve_array(ninefold.generate_array(3, seed=1)).to_pylist()
        with pytest.raises(ninefold.NoSolutionError, match="no solution"):
            pool.map(ninefold.solve, [NONE])
    error = pickled(ninefold.IncompleteError("made 1 of 2", [EASY]))
    assert str(error) == "made 1 of 2" and error.puzzles == [EASY]


# Lists, numpy, torch.


def test_lists_of_strings() -> None:
    expected = ninefold.solve_array(pa.array(ROWS), limit=2).to_pylist()
    for given in (ROWS, tuple(ROWS), [np.nan if it is None else it for it in ROWS], [pd.NA if it is None else it for it in ROWS]):
        assert ninefold.solve_array(given, limit=2) == expected
    assert ninefold.solve_array([np.str_(EASY)]) == [SOLVED]
    assert ninefold.solve_array([EASY.encode(), None]) == [SOLVED, None]
    assert ninefold.solve_array([]) == [] and ninefold.solve_array([None]) == [None]
    assert ninefold.solve_array([EASY] * 5000, threads=0) == [SOLVED] * 5000
    assert ninefold.count_array([EASY, TWO], 5) == [1, 2]
    assert ninefold.verify_array([EASY, EASY], [SOLVED, EASY]) == [True, False]
    assert ninefold.rate_array([EASY])[0]["grade"] == "naked-singles"
    assert ninefold.solve_array([MARKS, "\udcff" * 81]) == [ninefold.solve(MARKS), ""]
    assert ninefold.isomorphism_array([EASY], [TWO]) == [""]


def test_lists_of_digits() -> None:
    assert ninefold.solve_array(DIGITS, limit=2) == ANSWERS
    assert ninefold.solve_array([tuple(it) for it in DIGITS], limit=2) == ANSWERS
    assert ninefold.solve_array([*DIGITS, None], limit=2) == [*ANSWERS, None]
    assert ninefold.count_array(DIGITS, 5) == [1, 2, 1]
    assert ninefold.solve_array(DIGITS[0]) == ANSWERS[0]
    assert ninefold.count_array(DIGITS[1], 5) == 2
    square = [[row[start : start + 9] for start in range(0, 81, 9)] for row in DIGITS]
    assert ninefold.solve_array(square, limit=2) == [[row[start : start + 9] for start in range(0, 81, 9)] for row in ANSWERS]
    assert ninefold.solve_array(square[0]) == [ANSWERS[0][start : start + 9] for start in range(0, 81, 9)]
    assert ninefold.solve_array([np.array(it) for it in DIGITS], limit=2) == ANSWERS
    wrong: list[Any] = [[first, *DIGITS[0][1:]] for first in (-1, 300, 10)]
    assert [it["status"] for it in ninefold.solve_array(wrong, details=True)] == ["malformed"] * 3


def test_other_tokens_are_refused_where_no_status_says_so() -> None:
    puzzles = np.array(DIGITS[:2])
    for tokens, first in ((puzzles + 1, 10), (puzzles - 1, -1), (puzzles * 1000, 5000), (puzzles * 0 + 255, 255)):
        forms = [tokens, tokens.reshape(-1, 9, 9), tokens.tolist(), pa.array(tokens.tolist()), pa.array(tokens.tolist(), pa.list_(pa.int16(), 81))]
        for form in [*forms, tokens.astype(np.uint8)][: 6 if 0 <= first < 256 else 5]:
            for call in (ninefold.solve_array, ninefold.steps_array, ninefold.candidates_array, lambda it: ninefold.evaluate(it, np.array(ANSWERS[:1] * 2))):
                with pytest.raises(ValueError, match=f"no row has 81 digits: expected 0 to 9, 0 for a blank, found {first}$"):
                    call(form)
            assert {it["status"] for it in ninefold.rate_array(form)} == {"malformed"}
        some = np.concatenate([tokens, np.array(DIGITS)])
        assert ninefold.solve_array(some, limit=2).tolist()[2:] == ANSWERS and not ninefold.solve_array(some)[:2].any()
    assert ninefold.solve_array([None, None, DIGITS[0]])[2] == ANSWERS[0] and ninefold.solve_array(np.array(DIGITS)[:0]).shape == (0, 81)


def test_numpy_of_integers() -> None:
    digits = np.array(DIGITS)
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint64", ">i4"):
        given = digits.astype(kind)
        solved = ninefold.solve_array(given, limit=2)
        assert isinstance(solved, np.ndarray) and solved.dtype == given.dtype and solved.tolist() == ANSWERS
        assert ninefold.solve_array(given.reshape(3, 9, 9), limit=2).reshape(3, 81).tolist() == ANSWERS
        one = ninefold.solve_array(given[0])
        assert one.shape == (81,) and one.tolist() == ANSWERS[0]
        square = ninefold.solve_array(given[0].reshape(9, 9))
        assert square.shape == (9, 9) and square.dtype == given.dtype and square.ravel().tolist() == ANSWERS[0]
        assert ninefold.count_array(given[1], 5) == 2 and ninefold.count_array(given, 5).tolist() == [1, 2, 1]
        assert ninefold.verify_array(given[0], one) == True  # noqa: E712
    wrong = digits.copy()
    wrong[:, 0] = [-1, 300, 255]
    details = ninefold.solve_array(wrong, details=True).to_pylist()
    reason = "row 1 column 1: expected 0 to 9, found null or a number that is no digit"
    assert [(it["status"], it["reason"]) for it in details] == [("malformed", reason)] * 3


def test_columns_of_lists() -> None:
    long = [*DIGITS, None, DIGITS[0][:80], [], [0] * 729, [10, *DIGITS[0][1:]], [None, *DIGITS[0][1:]], [-1, *DIGITS[0][1:]], [256, *DIGITS[0][1:]]]
    statuses = ["unique", "multiple", "unique", None, *["malformed"] * 7]
    for item in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint64()):
        for kind in (pa.list_(item), pa.large_list(item)):
            # Numbers that the type does not have are blanks.
            least, most = (0, 2**8 - 1) if "uint" in str(item) else (-1, 127 if item == pa.int8() else 2**15 - 1)
            rows = [it and [cell if cell is None or least <= cell <= most else 0 for cell in it] for it in long]
            puzzles = pa.array(rows, kind)
            expected = statuses if item in (pa.int16(), pa.int32(), pa.int64()) else None
            details = pa.array(ninefold.solve_array(puzzles, limit=2, details=True))
            details.validate(full=True)
            assert details.field("status").to_pylist()[:9] == statuses[:9]
            assert expected is None or details.field("status").to_pylist() == expected
            assert details.field("reason").to_pylist()[4:7] == [f"expected 81 cells, found {it}" for it in (80, 0, 729)]
            solved = pa.array(ninefold.solve_array(puzzles[1:5], limit=2))
            assert solved.type == pa.list_(pa.uint8(), 81) or solved.type.value_type == pa.uint8()
            assert solved.to_pylist() == [[0] * 81, ANSWERS[2], None, [0] * 81]
    fixed = pa.array([*DIGITS, None], pa.list_(pa.int64(), 81))
    assert ninefold.solve_array(fixed[1:], limit=2).to_pylist() == [*ANSWERS[1:], None]
    for dtype in (pl.List(pl.Int64), pl.Array(pl.Int64, 81), pl.Array(pl.Int8, 81)):
        assert pl.Series(ninefold.solve_array(pl.Series([*DIGITS, None], dtype=dtype), limit=2)).to_list() == [*ANSWERS, None]
    for cells in (DIGITS, [np.array(it) for it in DIGITS], [tuple(it) for it in DIGITS]):
        column = pd.Series(cells, index=[5, 6, 7])
        solved = ninefold.solve_array(column, limit=2)
        assert solved.tolist() == ANSWERS and solved.index.equals(column.index)
    answers = ninefold.verify_array(pa.array(DIGITS), pa.array(ANSWERS))
    assert answers.to_pylist() == [True, False, True]
    with pytest.raises(ninefold.ArrayError, match="lists of 81 integers, found"):
        ninefold.solve_array(pa.array([[[1]]]))


def test_other_arrays_are_read_as_numpy_reads_them() -> None:
    class Tensor:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array(DIGITS)

    assert ninefold.solve_array(Tensor(), limit=2).tolist() == ANSWERS  # type: ignore[arg-type]


def test_a_column_without_values() -> None:
    assert ninefold.solve_array(pd.Series([np.nan, np.nan])).isna().tolist() == [True, True]


def test_numpy_of_texts() -> None:
    puzzles = [EASY, TWO, SOLVED]
    for given in (np.array(puzzles), np.array(puzzles, object), np.array(puzzles, "S"), np.array(puzzles, np.dtypes.StringDType())):
        solved = ninefold.solve_array(given, limit=2)
        assert isinstance(solved, np.ndarray) and solved.shape == (3,)
        assert solved.tolist() == [SOLVED, "", SOLVED]
        assert ninefold.is_unique_array(given).tolist() == [True, False, True]
        assert ninefold.count_array(given, 5).tolist() == [1, 2, 1]
        assert [len(it) for it in ninefold.solutions_array(given, 5)] == [1, 2, 1]
        assert ninefold.solutions_array(given[1:2], 5).tolist()[0] == ninefold.solutions(TWO, 5)
        details = ninefold.solve_array(given, limit=2, details=True)
        assert [it["status"] for it in details.to_pylist()] == ["unique", "multiple", "unique"]
    nulls = ninefold.solve_array(pd.Series([EASY, None]).to_numpy())
    assert nulls.tolist() == [SOLVED, None]
    assert ninefold.count_array(np.array([EASY, None], object), 5).tolist() == [1, None]


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (np.full((2, 81), -0.5), "found numpy.ndarray of float64 that begins with -0.5"),
        (np.zeros((9, 9), np.float32), "found numpy.ndarray of float32 that begins with 0.0"),
        (np.zeros((2, 81), bool), "found numpy.ndarray of bool that begins with False"),
        (np.zeros((2, 1, 9, 9), np.uint8), "write array.reshape(-1, 81)"),
        (np.zeros((2, 80), np.uint8), "found shape (2, 80)"),
        (np.ma.masked_array(np.zeros((2, 81), int)), "write array.filled(0)"),
        (np.array([list(EASY)]), 'write ["".join(row) for row in array.reshape(-1, 81)]'),
        ([list(EASY)], 'write ["".join(row) for row in puzzles]'),
        ([[5, 3]], "lists that do not have 81 integers each"),
        (list(EASY), 'write ["".join(puzzle)]'),
        (pl.LazyFrame({"puzzle": [EASY]}), "write frame.collect()"),
        (EASY, "write [puzzle]"),
        (EASY.encode(), "write [puzzle]"),
        ({EASY}, "write list(…)"),
        (iter([EASY]), "write list(…)"),
        ({"puzzle": [EASY]}, "pass one of its values, values[name]"),
        ({EASY: 1}.keys(), "write list(…)"),
        ([{"puzzle": EASY}], "write [row[name] for row in rows]"),
        # Advice that gives other puzzles is worse than none.
        (np.zeros((81, 4), np.uint8), "found shape (81, 4); write array.T"),
        (np.zeros((4, 9, 9, 1), np.uint8), "write array.reshape(-1, 81)"),
        (np.zeros((4, 81, 10), np.uint8), "write array.argmax(-1) for cells of 10 values"),
        (np.zeros((4, 9, 9, 10), np.uint8), "write array.argmax(-1) for cells of 10 values"),
        (np.zeros((1, 81, 10), np.uint8), "write array.argmax(-1) for cells of 10 values"),
        (np.zeros((1, 9, 9, 10), np.uint8), "write array.argmax(-1) for cells of 10 values"),
        (np.array(DIGITS, object), "write array.tolist()"),
        (np.full((6, 2), 1e80), "the puzzles are numbers; read the column as text: numpy.loadtxt"),
        ([EASY[start : start + 9] for start in range(0, 81, 9)], 'found a list of 9 rows; write ["".join(puzzle)]'),
        ([[None, 5.0] + [0] * 79], "write integers, 0 for a blank"),
        ([True] * 81, "found a list of bool"),
        (pd.DataFrame(DIGITS), "write frame.to_numpy()"),
        (pd.Series([5, 3], dtype=object), "the puzzles are numbers; read the column as text: pd.read_csv"),
        (pd.Series([5, 3]).astype("category"), "the puzzles are numbers; read the column as text: pd.read_csv"),
        (pl.col("puzzle"), "write ninefold.polars.apply(…)"),
        ([EASY, b"1"], "found a list of bytes and str"),
        ([object()], "found a list of object"),
        (pd.Series([object()]), "found a column of mixed values"),
    ],
    ids=lambda it: str(type(it)),
)
def test_what_is_refused_says_what_to_write(wrong: Any, hint: str) -> None:
    for function, options in FUNCTIONS:
        with pytest.raises(ninefold.WrongTypeError) as raised:
            function(wrong, **options)
        assert hint in str(raised.value)
        assert isinstance(raised.value, TypeError) and isinstance(raised.value, ninefold.SudokuError)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (DIGITS[0], '"".join(map(str, puzzle))'),
        (np.array(DIGITS[0]), '"".join(map(str, puzzle.ravel().tolist()))'),
        (EASY.encode(), "puzzle.decode()"),
        (pd.Series([EASY]), "solve_array"),
        (pa.array([EASY]), "solve_array"),
        (None, "found None, a missing value"),
        (float("nan"), "found nan, a missing value"),
    ],
    ids=lambda it: str(type(it)),
)
def test_one_puzzle_is_a_string(wrong: Any, hint: str) -> None:
    for call in (ninefold.solve, ninefold.is_unique, ninefold.rate, ninefold.canonical):
        with pytest.raises(ninefold.WrongTypeError) as raised:
            call(wrong)
        assert hint in str(raised.value)
    assert ninefold.solve("".join(map(str, DIGITS[0]))) == ninefold.solve("".join(map(str, np.array(DIGITS[0]).ravel().tolist()))) == SOLVED


def test_shapes_that_hold_several_readings_get_no_advice() -> None:
    for shape in ((2, 9, 9, 9), (4, 81, 9), (9, 10), (2, 80)):
        with pytest.raises(ninefold.WrongTypeError) as raised:
            ninefold.solve_array(np.zeros(shape, np.uint8))
        assert str(raised.value).endswith(f"found shape {shape}")
    with pytest.raises(ninefold.WrongTypeError, match=r"of datetime64\[s\] that"):
        ninefold.solve_array(np.zeros(3, "M8[s]"))
    with pytest.raises(ninefold.WrongTypeError, match="the puzzles are numbers"):
        ninefold.solve(decimal.Decimal(5))


def test_an_empty_array_of_numpy() -> None:
    assert ninefold.solve_array(np.array([])).shape == (0,)


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    for kind in (torch.uint8, torch.int8, torch.int32, torch.int64):
        given = torch.tensor(DIGITS, dtype=kind)
        solved = ninefold.solve_array(given, limit=2)
        assert solved.dtype == kind and solved.tolist() == ANSWERS
        assert ninefold.solve_array(given.reshape(3, 9, 9), limit=2).shape == (3, 9, 9)
        assert ninefold.solve_array(given[0]).tolist() == ANSWERS[0]
        assert ninefold.is_unique_array(given).tolist() == [True, False, True]
        for call in (ninefold.rate_array, ninefold.steps_array, ninefold.neighbors_array, ninefold.minimize_array):
            assert len(call(given).to_pylist()) == 3  # type: ignore[operator]
        assert [len(it) for it in ninefold.solutions_array(given, 5)] == [1, 2, 1]
        assert ninefold.evaluate(given, solved, details=True)[1]["right_cells"].to_pylist() == [51, None, None]
        assert ninefold.candidates_array(given).shape == (3, 81)
    with pytest.raises(ninefold.WrongTypeError, match="found torch.Tensor of torch.float32 that begins with 0.5$"):
        ninefold.solve_array(torch.full((2, 81), 0.5))
    text = "".join(map(str, torch.tensor(DIGITS[0]).ravel().tolist()))  # as the error of `solve` says
    assert ninefold.solve(text) == SOLVED


# Scores.


def test_a_score_is_a_number_or_null_with_a_reason() -> None:
    rating = ninefold.rate(HARD, max_er=6.2)
    assert (rating.er, rating.reason, rating.technique) == (None, "above 6.2", None)
    assert ninefold.rate(HARD).er > 6.2
    with pytest.raises(ValueError, match="max_er: expected a score such as 9.0, found 99"):
        ninefold.rate(HARD, max_er=99)
    assert ninefold.rate(EASY).reason is None
    rows = ninefold.rate_array([EASY, HARD, BLANK, None], max_er=6.2)
    assert [it and (it["er"], it["status"], it["reason"]) for it in rows] == [
        (1.2, "unique", None),
        (None, "unique", "above 6.2"),
        (None, "multiple", "more than one solution"),
        None,
    ]
    table = pa.table({"puzzle": [EASY, HARD] * 20})
    rates = pa.Table.from_struct_array(pa.chunked_array(ninefold.rate_array(table, max_er=6.2)))
    assert rates.num_rows == 40
    found = duckdb.sql("select count(*) filter (er > 1), count(*) filter (reason = 'above 6.2'), max(er) from rates")
    assert found.fetchall() == [(20, 20, 1.2)]


# Progress and threads.


class Bar:
    """A bar with the protocol of tqdm."""

    def __init__(self) -> None:
        self.n = 0

    def update(self, n: int) -> None:
        self.n += n


@pytest.mark.parametrize("threads", [1, 0, 3])
def test_progress_counts_every_row(threads: int) -> None:
    rows = ROWS * 2000
    for given in (
        pa.array(rows),
        pa.chunked_array([rows[:5], [], rows[5:]], pa.string()),
        pa.array(rows).dictionary_encode(),
        pl.Series(rows),
        pd.Series(rows),
        rows,
    ):
        bar = Bar()
        result = ninefold.solve_array(given, threads=threads, progress=bar)
        if isinstance(result, ninefold.ArrayStream):
            assert bar.n == 0
            result.to_pylist()
        assert bar.n == len(rows)
    bar = Bar()
    ninefold.verify_array([EASY] * 100, [SOLVED] * 100, progress=bar)
    ninefold.rate_array([EASY] * 10, progress=bar)
    assert bar.n == 110
    made = Bar()
    assert len(ninefold.generate_array(30, seed=1, threads=threads, progress=made)) == made.n == 30


def test_a_bar_that_raises_ends_the_call() -> None:
    class Raises:
        def update(self, n: int) -> None:
            raise RuntimeError("no terminal")

    for given in ([EASY] * 10, pa.chunked_array([[EASY] * 10])):
        with pytest.raises(RuntimeError, match="no terminal"):
            result = ninefold.solve_array(given, progress=Raises())
            result.to_pylist()
    with pytest.raises(TypeError, match="progress: expected True, False or a bar of tqdm, found int"):
        ninefold.solve_array([EASY], progress=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("has_tqdm", [True, False])
def test_progress_is_written_to_stderr(has_tqdm: bool) -> None:
    if has_tqdm:
        pytest.importorskip("tqdm")
    code = f"""
import sys
if not {has_tqdm}:
    sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
import ninefold
print(len(ninefold.solve_array([{EASY!r}] * 1000, progress=True)))
print(len(ninefold.solve_array([{EASY!r}] * 1000, progress=False)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert run.stdout.split() == [b"1000", b"1000"]
    if has_tqdm:
        assert b"100%" in run.stderr and b"puzzles" in run.stderr
    else:
        assert run.stderr.startswith(b"\r1,000 of 1,000 puzzles, ") and run.stderr.endswith(b" s\n")
        assert len(run.stderr) < 50


def test_threads() -> None:
    assert ninefold.solve_array([EASY] * 5000, threads=0) == ninefold.solve_array([EASY] * 5000)
    for call in (
        lambda: ninefold.solve_array([EASY], threads=-1),
        lambda: ninefold.generate(1, threads=-1),
    ):
        with pytest.raises(ValueError, match="threads: expected 0 \\(one on each core\\) or more, found -1"):
            call()


def test_duckdb_knows_which_functions_take_two_columns() -> None:
    import ninefold.duckdb

    with duckdb.connect() as connection:
        ninefold.duckdb.register(connection, "is_right", ninefold.verify_array)
        ninefold.duckdb.register(connection, "map_to", ninefold.isomorphism_array)
        ninefold.duckdb.register(connection, "solve", ninefold.solve_array)
        row = connection.execute("select is_right($p, solve($p)), map_to($p, $p)", {"p": EASY}).fetchone()
        assert row is not None and row[0] is True and ninefold.Isomorphism.parse(row[1]).apply(EASY) == EASY
