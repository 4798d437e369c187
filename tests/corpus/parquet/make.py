"""Makes the Parquet files beside this script with the tools that people use.

    pip install pyarrow polars pandas duckdb && python make.py

They all have the five puzzles of tests/data/layouts, as the test `tests/program/parquet.rs` expects them.
"""

import datetime
import decimal
import pathlib

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

here = pathlib.Path(__file__).parent
rows = [line.split(",") for line in (here / "../../data/layouts/kaggle_9m.csv").read_text().split()[1:]]
puzzles = [row[0] for row in rows]
solutions = [row[1] for row in rows]
columns = {"puzzle": puzzles, "solution": solutions}


def write(name, table, **options):
    pq.write_table(table, here / f"{name}.parquet", **options)


def strings(kind):
    return pa.table({name: pa.array(values).cast(kind) for name, values in columns.items()})


utf8 = strings(pa.string())
# The encodings of text.
write("pyarrow-utf8", utf8)
write("pyarrow-large", strings(pa.large_string()))
write("pyarrow-view", strings(pa.string_view()))
write("pyarrow-dictionary", pa.table({k: pa.array(v).dictionary_encode() for k, v in columns.items()}))
write("pyarrow-binary", strings(pa.binary()))
write("pyarrow-fixed", strings(pa.binary()).cast(pa.schema([(k, pa.binary(81)) for k in columns])))
write("pyarrow-plain", utf8, use_dictionary=False)
for encoding in ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"]:
    name = "pyarrow-" + encoding.lower().replace("_", "-")
    write(name, utf8, use_dictionary=False, column_encoding=encoding)
write("pyarrow-v2", utf8, data_page_version="2.0", version="2.6")
for codec in ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]:
    write(f"pyarrow-{codec}", utf8, compression=codec)
write("pyarrow-groups", utf8, row_group_size=2)
checksums = {"compression": "none", "use_dictionary": False, "write_page_checksum": True}
write("pyarrow-checksums", utf8, row_group_size=2, **checksums)
write("pyarrow-required", utf8.cast(pa.schema([pa.field(k, pa.string(), nullable=False) for k in columns])))
write("pyarrow-empty", utf8.slice(0, 0))
# Other columns, of all types that a table has.
when = datetime.datetime(2026, 11, 22, 4, 30, 15, 250000)
others = {
    "id": pa.array([1, 2, None, 4, 5], pa.int64()),
    "small": pa.array([-1, 2, 3, 4, 5], pa.int8()),
    "big": pa.array([2**64 - 1, 2, 3, 4, 5], pa.uint64()),
    "score": pa.array([1.5, None, 1e300, -0.0, 4], pa.float64()),
    "single": pa.array([0.1, 2, 3, 4, 5], pa.float32()),
    "hard": pa.array([True, False, None, True, False]),
    "day": pa.array([when.date()] * 5),
    "time": pa.array([when.time()] * 5, pa.time64("us")),
    "stamp": pa.array([when] * 5, pa.timestamp("us")),
    "utc": pa.array([when] * 5, pa.timestamp("ms", tz="UTC")),
    "price": pa.array([decimal.Decimal("-0.05"), None, *map(decimal.Decimal, "345")], pa.decimal128(9, 2)),
    "source": pa.array(["a, b", ' "x" ', "", None, "one\ntwo"]),
    "raw": pa.array([b"\xff\x00", b"abc", None, b"", b","], pa.binary()),
}
write("pyarrow-types", pa.table({**others, **{k: pa.array(v) for k, v in columns.items()}}))
# A missing puzzle, a short one, a wrong character; no answer for two of the rest.
damaged = [None, puzzles[1][:80], puzzles[2][:3] + "x" + puzzles[2][4:], *puzzles[3:]]
write("pyarrow-damaged", pa.table({"id": [1, 2, 3, 4, 5], "puzzle": damaged, "solution": [*solutions[:3], None, None]}))
write("pyarrow-alone", pa.table({"x": [None, *puzzles[1:]]}))
# A file for each level of SudokuBench: the pretty columns are decoys.
pretty = lambda grid: "\n".join(" ".join(grid[i : i + 9]) for i in range(0, 81, 9))
bench = {
    "starting_cells": [81 - p.count("0") for p in puzzles],
    "puzzle": puzzles,
    "puzzle_pretty": [pretty(p) for p in puzzles],
    "solution": solutions,
    "solution_pretty": [pretty(s) for s in solutions],
}
write("sudokubench", pa.table(bench))
# Full grids beside the puzzles, and names that say nothing.
write("unnamed", pa.table({"0": solutions, "1": puzzles, "2": ["?"] * 5}))
# Nested columns.
cells = [[int(c) if c.isdigit() else 0 for c in p] for p in puzzles]
write("nested-puzzle", pa.table({"puzzle": cells, "answer": solutions}))
write("nested-other", pa.table({"tags": [["a", "b"]] * 5, "puzzle": puzzles, "about": [{"x": 1}] * 5, "solution": solutions}))

pl.DataFrame(columns).write_parquet(here / "polars.parquet")
pl.DataFrame(columns).write_parquet(here / "polars-lz4.parquet", compression="lz4")
pd.DataFrame(columns).to_parquet(here / "pandas.parquet")
pd.DataFrame(columns, index=[9, 8, 7, 6, 5]).to_parquet(here / "pandas-index.parquet")
frame = pd.DataFrame(columns)
duckdb.sql("SELECT * FROM frame").write_parquet(str(here / "duckdb.parquet"))
duckdb.sql(f"COPY frame TO '{here}/duckdb-v2.parquet' (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd)")
duckdb.sql("SELECT puzzle::BLOB AS puzzle, solution FROM frame").write_parquet(str(here / "duckdb-blob.parquet"))
