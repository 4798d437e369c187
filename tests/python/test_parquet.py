"""Parquet files that ninefold writes, read by pyarrow, polars, pandas and DuckDB.

    pip install pytest pyarrow polars pandas duckdb
    NINEFOLD=target/debug/ninefold pytest tests/python/test_parquet.py

NINEFOLD is the program; without it, the one of `cargo build`. What the tools write is read by
tests/library/parquet.rs and tests/program/parquet.rs, from tests/corpus/parquet.
"""

import csv
import os
import pathlib
import re
import subprocess

import pytest

duckdb = pytest.importorskip("duckdb")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROOT = pathlib.Path(__file__).parents[2]
CORPUS = ROOT / "tests/corpus/parquet"
NINEFOLD = os.environ.get("NINEFOLD", str(ROOT / "target/debug/ninefold"))
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def ninefold(*words, code=0):
    ran = subprocess.run([NINEFOLD, *map(str, words)], capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stderr
    return ran.stdout


def readers(path):
    """The rows of a file as pandas, polars, DuckDB and pyarrow see them."""
    yield pd.read_parquet(path, dtype_backend="pyarrow").to_dict("records")
    yield pl.read_parquet(path).to_dicts()
    relation = duckdb.sql(f"FROM '{path}'")
    yield [dict(zip(relation.columns, row)) for row in relation.fetchall()]
    yield pq.read_table(path).to_pylist()


def plain(value):
    """Lists for arrays of any library, and None for a missing value."""
    if value is None or value is pd.NA or isinstance(value, (int, str)):
        return None if value is pd.NA else value
    return [plain(it) for it in value] if hasattr(value, "__len__") else int(value)


def test_every_tool_reads_the_records(tmp_path):
    text, out = tmp_path / "in.csv", tmp_path / "out.parquet"
    rows = [f"{row},{EASY}" if row % 7 else f"{row},{EASY[1:]}" for row in range(5000)]
    text.write_text("id,puzzle\n" + "\n".join(rows) + "\n")
    ninefold("solve", "-q", "--unique", text, "-o", out, code=1)
    for records in readers(out):
        assert len(records) == 5000
        assert list(records[0]) == ["line", "status", "solutions", "puzzle", "solution"]
        assert [record["line"] for record in records] == list(range(2, 5002))
        for row, record in enumerate(records):
            if row % 7:
                found = (record["status"], record["solutions"], record["puzzle"], record["solution"])
                assert found == ("unique", 1, EASY, SOLVED)
            else:
                assert record["status"] == "malformed" and record["puzzle"] == EASY[1:]
                assert pd.isna(record["solutions"]) and pd.isna(record["solution"])


def test_columns_keep_their_types(tmp_path):
    out = tmp_path / "out.parquet"
    ninefold("solve", "-q", CORPUS / "pyarrow-types.parquet", "--keep-columns", "-o", out)
    source, found = pq.read_table(CORPUS / "pyarrow-types.parquet"), pq.read_table(out)
    assert found.schema.field("line").type == pa.int64()
    for name in source.column_names:
        if name != "puzzle":
            kept = "input_solution" if name == "solution" else name
            assert found[kept].type == source[name].type, name
            assert found[kept].equals(source[name]), name


@pytest.mark.parametrize("name", ["pyarrow-types", "sudokubench", "pyarrow-groups", "duckdb", "polars"])
def test_select_copies_all_columns(tmp_path, name):
    out = tmp_path / "out.parquet"
    ninefold("select", "-q", CORPUS / f"{name}.parquet", "-o", out)
    source, found = pq.read_table(CORPUS / f"{name}.parquet"), pq.read_table(out)
    assert found.column_names == source.column_names
    assert found.to_pylist() == source.to_pylist()


def test_values_in_csv_are_those_of_duckdb(tmp_path):
    path, ours, theirs = (tmp_path / name for name in ["in.parquet", "ours.csv", "theirs.csv"])
    wide = [1e300, 1e15, 1e16, 1e-4, 1e-5, -1.5e-7, 5e-324, 0.1, -0.0, float("nan"), float("inf"), None]
    narrow = [1.5, 0.1, 65504.0, 6e-8, 1e-5, -0.0, float("nan"), float("-inf"), 1 / 3, 100.0, 3.0, None]
    raw = [b"a b", b"\xff b", b"a,b", b'"x"', b"'", b"\\x41", b"\n", b"\0", "\u00e9".encode(), b"", b" a", None]
    columns = {
        "puzzle": [EASY] * 12,
        "double": pa.array(wide, pa.float64()),
        "single": pa.array(narrow, pa.float32()),
        "half": pa.array(narrow, pa.float32()).cast(pa.float16()),
        "raw": pa.array(raw, pa.binary()),
        "fixed": pa.array([it and it.ljust(6, b"\xff") for it in raw if it != b""] + [None], pa.binary(6)),
    }
    pq.write_table(pa.table(columns), path)
    duckdb.sql(f"COPY (SELECT * EXCLUDE puzzle FROM '{path}') TO '{theirs}' (HEADER)")
    ours.write_text(ninefold("solve", "-q", "--keep-columns", "--format", "csv", path))
    rows = [list(csv.reader(file.read_text().splitlines())) for file in (ours, theirs)]
    assert [row[-5:] for row in rows[0]] == rows[1]


def test_what_the_tools_write_is_solved_the_same(tmp_path):
    puzzles = pl.read_parquet(CORPUS / "polars.parquet")["puzzle"].to_list()
    frame = pd.DataFrame({"quiz": puzzles * 300})
    paths = [tmp_path / f"{tool}.parquet" for tool in ["pandas", "polars", "duckdb", "pyarrow"]]
    frame.to_parquet(paths[0])
    pl.from_pandas(frame).write_parquet(paths[1], row_group_size=400)
    duckdb.sql("SELECT * FROM frame").write_parquet(str(paths[2]))
    pq.write_table(pa.Table.from_pandas(frame), paths[3], data_page_version="2.0", compression="gzip")
    solutions = {ninefold("solve", "-q", path) for path in paths}
    assert len(solutions) == 1 and solutions.pop().count("\n") == len(frame)


def test_the_file_has_a_zstd_row_group_and_no_lists(tmp_path):
    out = tmp_path / "out.parquet"
    ninefold("generate", "-q", "-n", "50", "--seed", "1", "-o", out)
    about = pq.ParquetFile(out).metadata
    assert about.num_row_groups == 1 and about.num_rows == 50
    assert about.created_by.startswith("ninefold version ")
    codecs = {about.row_group(0).column(place).compression for place in range(about.num_columns)}
    assert codecs == {"ZSTD"}


def test_steps_are_the_lists_of_the_package(tmp_path):
    np, package = pytest.importorskip("numpy"), pytest.importorskip("ninefold")
    text, out = tmp_path / "in.txt", tmp_path / "out.parquet"
    names = ["easy", "minimal", "multiple", "named"]
    lists = [(ROOT / f"data/{name}.txt").read_text().splitlines() for name in names]
    given = [re.split("[#,:]", line)[0].strip() for lines in lists for line in lines[:500]]
    puzzles = [*filter(None, given)][:1000] + [EASY[1:], SOLVED]
    text.write_text("\n".join(puzzles) + "\n")
    ninefold("steps", "-q", "--exit-zero", text, "-o", out)
    steps, table = package.steps_array(puzzles, as_numpy=True), pq.read_table(out).combine_chunks()
    assert len(steps.offsets) == 1 + len(puzzles) == 1003
    column = {name: table[name].combine_chunks() for name in table.column_names}
    for name in ["technique", "cell", "digit", "eliminations", "boards", "candidates"]:
        found, expected = column[name].flatten(recursive=True).to_numpy(), getattr(steps, name)
        assert found.dtype == expected.dtype and np.array_equal(found, expected.ravel()), name
        assert np.array_equal(column[name].offsets, steps.offsets), name
    assert np.array_equal(column["eliminations"].flatten().offsets, steps.elimination_offsets)
    assert set(column["boards"].flatten().value_lengths().to_pylist()) == {81}
    statuses = column["status"].to_pylist()
    assert statuses[-2:] == ["malformed", "unique"] and "multiple" in statuses
    assert [it.is_valid for it in column["cell"]] == [it == "unique" for it in statuses]
    assert column["line"].to_pylist() == list(range(1, 1003)) and table["boards"][-1].as_py() == []
    few = tmp_path / "few.parquet"
    pq.write_table(table.slice(992, 10), few)
    expected = table.slice(992, 10).to_pylist()
    for records in readers(few):
        found = [{name: plain(value) for name, value in record.items()} for record in records]
        assert found == expected
    frame = pl.read_parquet(out).explode("technique", "cell", "digit", "eliminations", "boards", "candidates")
    assert np.array_equal(frame["digit"].drop_nulls(), steps.digit)


def test_the_command_of_the_message_writes_an_arrow_file_as_parquet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"puzzle": [EASY]}).write_ipc("FILE")
    ran = subprocess.run([NINEFOLD, "solve", "FILE"], capture_output=True, text=True, check=False)
    eval(re.search(r"pl\.read_ipc.*", ran.stderr)[0], {"pl": pl})
    assert ninefold("solve", "-q", "FILE.parquet") == SOLVED + "\n"
