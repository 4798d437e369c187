"""Each engine gives the answers of the function on arrays. Each is skipped where it is missing."""

import functools
import os
import pathlib
import re
import subprocess
import sys

import pytest

import ninefold

# The engines warn of each other's versions.
pytestmark = pytest.mark.filterwarnings("default")

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

# Spark's workers run this Python, not the first one in PATH.
os.environ["PYSPARK_PYTHON"] = sys.executable

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = ninefold.solve(PUZZLE)
WRONG = SOLUTION.replace("1", "x").replace("2", "1").replace("x", "2")
EMPTY = "." * 81
ROWS = [
    (PUZZLE, SOLUTION),
    (None, SOLUTION),
    ("not a puzzle", SOLUTION),
    (PUZZLE, None),
    ("55" + PUZZLE[2:], SOLUTION),
    (EMPTY, SOLUTION),
    (PUZZLE, WRONG),
    ("", ""),
] * 40
TABLE = pa.table(
    {
        "id": list(range(len(ROWS))),
        "puzzle": pa.array([puzzle for puzzle, _ in ROWS], pa.string()),
        "solution": pa.array([answer for _, answer in ROWS], pa.string()),
    }
)

# The functions, their options, and the name of the new column.
CASES = [
    (ninefold.solve_array, {}, "plain"),
    (ninefold.solve_array, {"limit": 2, "details": True}, "details"),
    (ninefold.count_array, {"limit": 2}, "count"),
    (ninefold.solutions_array, {"limit": 3}, "list"),
    (ninefold.canonical_array, {}, "form"),
    (ninefold.verify_array, {"answer_column": "solution"}, "right"),
]


def expected(function, options):
    """What the function itself says of the table."""
    table = TABLE.select(["puzzle", "solution"])
    return pa.chunked_array(function(table, column="puzzle", **options)).to_pylist()


def check(rows, function, options, into):
    """Compares an engine's rows, in any order. pandas has no null of its own, but NaN."""
    rows = sorted(rows, key=lambda row: row["id"])
    assert [row["id"] for row in rows] == list(range(len(ROWS)))
    found = [None if row[into] != row[into] else row[into] for row in rows]
    assert found == expected(function, options)


def test_what_is_expected():
    plain = expected(ninefold.solve_array, {})
    assert plain[:3] == [SOLUTION, None, ""]
    assert plain[4] == plain[7] == ""
    right = expected(ninefold.verify_array, {"answer_column": "solution"})
    assert (right[0], right[1], right[6]) == (True, None, False)


@pytest.fixture(scope="session")
def parquet(tmp_path_factory):
    path = tmp_path_factory.mktemp("engines") / "puzzles.parquet"
    pq.write_table(TABLE, path, row_group_size=100)
    return str(path)


def test_ray(parquet):
    ray = pytest.importorskip("ray")
    import ninefold.ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        for function, options, into in CASES:
            table = ray.data.read_parquet(parquet).repartition(3)
            added = ninefold.ray.apply(table, function, "puzzle", into, **options)
            check(added.take_all(), function, options, into)
    finally:
        ray.shutdown()


def test_spark(parquet):
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    import ninefold.spark

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    try:
        spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    except Exception as error:
        pytest.skip(f"Spark does not start: {error}")
    try:
        frame = spark.read.parquet(parquet)
        for function, options, into in CASES:
            added = ninefold.spark.apply(frame, function, "puzzle", into, **options)
            rows = [row.asDict(recursive=True) for row in added.collect()]
            check(rows, function, options, into)
        with pytest.raises(ValueError, match="there is a column 'id'"):
            ninefold.spark.apply(frame, ninefold.solve_array, "puzzle", "id")
        with pytest.raises(ValueError, match="there is no column 'quiz'"):
            ninefold.spark.apply(frame, ninefold.solve_array, "quiz", "answer")
    finally:
        spark.stop()


def test_dask(parquet):
    dd = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    import ninefold.dask

    with distributed.Client(n_workers=1, threads_per_worker=2, dashboard_address=None):
        frame = dd.read_parquet(parquet).repartition(npartitions=3)
        for function, options, into in CASES:
            added = ninefold.dask.apply(frame, function, "puzzle", into, **options)
            whole = added.compute()
            assert whole.dtypes[into] == added.dtypes[into]
            table = pa.Table.from_pandas(whole, preserve_index=False)
            check(table.to_pylist(), function, options, into)


def test_duckdb(parquet):
    duckdb = pytest.importorskip("duckdb")
    import ninefold.duckdb

    with duckdb.connect() as connection:
        for function, options, into in CASES:
            options = dict(options)
            answers = options.pop("answer_column", None)
            arguments = ["puzzle", answers] if answers else ["puzzle"]
            ninefold.duckdb.register(
                connection, f"nf_{into}", function, parameters=len(arguments), **options
            )
            sql = f"SELECT id, nf_{into}({', '.join(arguments)}) AS {into} FROM '{parquet}'"
            rows = connection.sql(sql).to_arrow_table().to_pylist()
            check(rows, function, {**options, **({"answer_column": answers} if answers else {})}, into)
        nothing = connection.execute(f"SELECT nf_plain(puzzle) FROM '{parquet}' WHERE id < 0")
        assert nothing.fetchall() == []


def test_polars(parquet):
    pl = pytest.importorskip("polars")
    import ninefold.polars

    for function, options, into in CASES:
        puzzles = pl.col("puzzle")
        if "answer_column" in options:
            puzzles, options = pl.struct("puzzle", "solution"), {**options, "column": "puzzle"}
        result = ninefold.polars.apply(puzzles, function, **options)
        query = pl.scan_parquet(parquet).with_columns(result.alias(into))
        for engine in ["in-memory", "streaming"]:
            frame = query.collect(engine=engine)
            assert frame.schema == query.collect_schema()
            options = {key: value for key, value in options.items() if key != "column"}
            check(frame.to_dicts(), function, options, into)


def rows_of(dataset, batch_size=7):
    """The rows as a dataset gives them: one by one, and in batches."""
    rows = list(dataset)
    batched = [
        dict(zip(batch, values))
        for batch in dataset.iter(batch_size)
        for values in zip(*batch.values())
    ]
    assert batched == rows
    return rows


def test_datasets(parquet, tmp_path):
    datasets = pytest.importorskip("datasets")
    import ninefold.datasets

    rows = datasets.load_dataset(
        "parquet", data_files=parquet, split="train", cache_dir=str(tmp_path)
    )
    for function, options, into in CASES:
        added = ninefold.datasets.apply(rows, function, "puzzle", into, batch_size=7, **options)
        assert added.format["type"] == rows.format["type"]
        assert added.column_names == ["id", "puzzle", "solution", into]
        assert added.format["columns"] == added.column_names
        check(added.to_list(), function, options, into)
        check(rows_of(added), function, options, into)
        check([added[place] for place in range(len(added))], function, options, into)
        batch = added[:]
        check([dict(zip(batch, values)) for values in zip(*batch.values())], function, options, into)


def test_datasets_keep_their_format(parquet, tmp_path):
    datasets = pytest.importorskip("datasets")
    import ninefold.datasets

    rows = datasets.load_dataset(
        "parquet", data_files=parquet, split="train", cache_dir=str(tmp_path)
    )
    solve = functools.partial(
        ninefold.datasets.apply, function=ninefold.solve_array, column="puzzle", into="answer"
    )
    frame = solve(rows.with_format("pandas"))[:2]
    assert frame["answer"].tolist()[0] == SOLUTION and list(frame.columns)[-1] == "answer"
    assert solve(rows.with_format("numpy"))[0]["answer"] == SOLUTION
    assert solve(rows.with_format("arrow"))[:1]["answer"].to_pylist() == [SOLUTION]
    # The format shows one of the columns, and then the new one.
    assert solve(rows.with_format(columns=["id"]))[0] == {"id": 0, "answer": SOLUTION}
    everything = rows.with_format("numpy", columns=["id"], output_all_columns=True)
    assert set(solve(everything)[0]) == {"id", "puzzle", "solution", "answer"}
    shouted = rows.with_transform(lambda batch: {key: [str(it).upper() for it in values] for key, values in batch.items()})
    assert solve(shouted)[0]["answer"] == SOLUTION
    splits = solve(datasets.DatasetDict({"train": rows, "test": rows.select(range(3))}))
    assert isinstance(splits, datasets.DatasetDict) and splits["test"][0]["answer"] == SOLUTION
    assert len(splits["train"]) == len(ROWS)
    assert solve(rows, num_proc=2)[8]["answer"] == SOLUTION
    none = solve(rows.with_format("numpy").select([]))
    assert none.column_names == ["id", "puzzle", "solution", "answer"] and len(none) == 0
    assert none.features == solve(rows).features and none.format["type"] == "numpy"
    twice = solve(solve(rows), into="again")
    assert twice[0]["answer"] == twice[0]["again"] == SOLUTION


def test_a_column_of_a_dataset_is_read_as_arrow(monkeypatch):
    datasets = pytest.importorskip("datasets")

    rows = datasets.Dataset.from_dict({"quizzes": [PUZZLE, EMPTY, None], "inner": [{"quizzes": PUZZLE}] * 3})
    given = [(rows["quizzes"], [True, False, None]), (rows.select([1, 0]).with_format("numpy")["quizzes"], [False, True])]
    for column, wanted in given:
        with monkeypatch.context() as patch:
            # Row by row it takes ten times as long as the answers.
            patch.setattr(type(column), "__iter__", lambda _: pytest.fail("read row by row"))
            assert ninefold.is_unique_array(column) == wanted
            by = ninefold.evaluate(column, [SOLUTION] * len(wanted), by=column)["by"]
            assert by[PUZZLE]["exact"] == wanted.count(True)
    shuffled = datasets.Dataset.from_dict({"quizzes": [PUZZLE, None] * 2000}).shuffle(seed=1)["quizzes"]
    with monkeypatch.context() as patch:
        # Arrow has a chunk for each row, and each chunk takes 20 us.
        solve = ninefold._given._take
        patch.setattr(ninefold._given, "_take", lambda it, *more: pytest.fail("many chunks") if getattr(it, "num_chunks", 1) > 9 else solve(it, *more))
        assert ninefold.is_unique_array(shuffled) == [it and True for it in shuffled]
    assert ninefold.is_unique_array(rows["inner"]["quizzes"]) == [True] * 3
    custom = rows.with_transform(lambda batch: {"quizzes": [it and EMPTY for it in batch["quizzes"]]})
    assert ninefold.is_unique_array(custom["quizzes"]) == [False, False, None]


def test_streaming_datasets(parquet, tmp_path):
    datasets = pytest.importorskip("datasets")
    import ninefold.datasets

    def load(**more):
        return datasets.load_dataset("parquet", data_files=parquet, streaming=True, cache_dir=str(tmp_path), **more)

    made = datasets.IterableDataset.from_generator(lambda: iter(TABLE.to_pylist()))
    assert made.features is None and made.column_names is None
    sources = [load(split="train"), made, load()["train"].shuffle(seed=1, buffer_size=50)]
    for rows, cases in zip(sources, [CASES, CASES[1::2], CASES[:1]]):
        for function, options, into in cases:
            added = ninefold.datasets.apply(rows, function, "puzzle", into, batch_size=50, **options)
            check(rows_of(added), function, options, into)
            first = next(iter(added))
            assert list(first) == ["id", "puzzle", "solution", into]
            if rows.features is not None:
                assert added.features is not None and list(added.features) == list(first)
    numbers = ninefold.datasets.apply(load(split="train").with_format("numpy"), ninefold.count_array, "puzzle", "n", limit=2)
    assert next(iter(numbers))["n"] == 1
    splits = ninefold.datasets.apply(load(), ninefold.solve_array, "puzzle", "answer")
    assert next(iter(splits["train"]))["answer"] == SOLUTION
    with pytest.raises(ValueError, match="num_proc"):
        ninefold.datasets.apply(made, ninefold.solve_array, "puzzle", "answer", num_proc=2)
    with pytest.raises(ninefold.ArrayError, match="there is no column 'quiz'"):
        ninefold.datasets.apply(load(split="train"), ninefold.solve_array, "quiz", "answer")
    with pytest.raises(ninefold.ArrayError, match="there is no column 'quiz'"):
        next(iter(ninefold.datasets.apply(made, ninefold.solve_array, "quiz", "answer")))
    for number in (53, int(SOLUTION)):
        counted = datasets.IterableDataset.from_generator(lambda: iter([{"puzzle": number}]))
        with pytest.raises(ninefold.SudokuError, match="the puzzles are numbers; read the column as text: datasets"):
            next(iter(ninefold.datasets.apply(counted, ninefold.solve_array, "puzzle", "answer")))


def test_numbers_of_datasets():
    datasets = pytest.importorskip("datasets")
    import ninefold.datasets

    rows = datasets.Dataset.from_dict({"quizzes": [5, 3]})
    words = 'the puzzles are numbers; read the column as text: datasets.load_dataset("csv", ..., features=datasets.Features({"quizzes": datasets.Value("string"), ...}))'
    with pytest.raises(ninefold.SudokuError) as raised:
        ninefold.datasets.apply(rows, ninefold.solve_array, "quizzes", "answer")
    assert str(raised.value) == words
    with pytest.raises(ninefold.SudokuError, match="the puzzles are numbers; read the column as text: datasets"):
        ninefold.solve_array(rows["quizzes"])
    texts = datasets.Dataset.from_dict({"puzzle": [PUZZLE, None]})
    assert ninefold.solve_array(texts["puzzle"]) == [SOLUTION, None]


DOCS = pathlib.Path(__file__).parents[2] / "docs" / "distributed.md"
JOBS = re.findall(r"^## ([^\n]*)\n\n```python\n(.*?)```", DOCS.read_text(), re.M | re.S)
MODULES = {
    "Ray Data": "ray",
    "Spark": "pyspark",
    "Dask": "dask",
    "DuckDB": "duckdb",
    "Polars": "polars",
    "Hugging Face datasets": "datasets",
}


@pytest.mark.parametrize(("engine", "code"), JOBS, ids=[engine for engine, _ in JOBS])
def test_job_of_the_docs(engine, code, tmp_path):
    pytest.importorskip(MODULES[engine])
    pq.write_table(TABLE.select(["id", "puzzle"]), tmp_path / "puzzles.parquet")
    (tmp_path / "job.py").write_text(code)
    for _ in range(2):  # A job that is repeated replaces its output.
        subprocess.run([sys.executable, "job.py"], cwd=tmp_path, check=True, timeout=300)
    (written,) = [path for path in tmp_path.iterdir() if path.name.startswith("solved-")]
    files = [written] if written.is_file() else sorted(written.glob("*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    assert len(rows) == len(ROWS)
    for row in rows:
        answer = row["solved"]["solution"] if row.get("solved") else row.get("solution")
        if row["puzzle"] == PUZZLE:
            assert answer == SOLUTION


def test_every_job_has_a_test():
    assert [engine for engine, _ in JOBS] == list(MODULES)
