"""Copies, splits and banks: the same as the program's, in every library, and as mathematics wants them."""

import csv
import doctest
import io
import pickle
import resource
import subprocess
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import ninefold
import ninefold.duckdb
import ninefold.polars
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import BLANK, EASY, MARKS, ROOT, SOLVED
from ninefold._table import AddColumn

LIST = [line.split("#")[0].strip() for line in (ROOT / "data/minimal.txt").read_text().splitlines()]
LIST = [line for line in LIST if line]


def run(program: str, *arguments: str, text: str, statuses: tuple[int, ...] = (0,)) -> str:
    run = subprocess.run([program, *arguments, "-q"], input=text, capture_output=True, text=True)
    assert run.returncode in statuses, run.stderr
    return run.stdout


def table(puzzles: list[str], answers: list[str]) -> str:
    return "".join(f"{puzzle},{answer}\n" for puzzle, answer in [("puzzle", "solution"), *zip(puzzles, answers)])


def test_copies_are_those_of_the_program(program: str) -> None:
    few = "1" + "." * 80
    puzzles = [*LIST[:200], few, SOLVED, "nonsense", EASY]
    answers = [ninefold.solve(it) if len(it) == 81 else "" for it in puzzles[:-1]] + ["short"]
    for options, wanted in (
        (["-n", "3", "--seed", "5"], {"n": 3, "seed": 5}),
        (["-n", "2", "--kinds", "digits,rows", "--include-original"], {"n": 2, "kinds": ["rows", "digits"], "include_original": True}),
        (["-n", "10", "--kinds", "digits", "--seed", "18446744073709551615"], {"n": 10, "seed": 2**64 - 1, "kinds": ("digits",)}),
    ):
        text = run(program, "augment", *options, "--map", "--format", "csv", text=table(puzzles, answers), statuses=(0, 1))
        records = list(csv.DictReader(io.StringIO(text)))
        found = ninefold.augment_array(pa.array(puzzles), pa.array(answers), details=True, **wanted).to_pylist()
        each = wanted["n"] + wanted.get("include_original", False)  # type: ignore[operator]
        assert len(found) == each * len(puzzles)
        copies = [(it["puzzle"], it["solution"], it["map"]) for it in found if it["status"] == "augmented"]
        assert copies == [(it["puzzle"], it["solution"] or None, it["map"]) for it in records if it["status"] == "augmented"]
        statuses = {place // each: it["status"] for place, it in enumerate(found) if it["status"] != "augmented"}
        assert list(statuses.values()) == [it["status"] for it in records if it["status"] != "augmented"]
        streamed = ninefold.augment_array(pa.chunked_array([puzzles[:7], [], puzzles[7:]]), pa.chunked_array([answers]), details=True, threads=2, **wanted)
        assert pa.chunked_array(streamed).to_pylist() == found


def test_a_bad_answer_is_not_silent() -> None:
    tokens = ninefold.tokens([EASY, SOLVED])
    bad = tokens.astype(int) * [[1], [2]]
    for puzzles, answers in (([EASY, EASY], [SOLVED, "53"]), (pa.array([EASY, EASY]), pa.array([SOLVED, "53"])), (tokens, bad), (pl.Series([EASY, EASY]), pl.Series([None, "53"]))):
        with pytest.warns(UserWarning, match="^a row has no copies, because of its answer: ") as warned:
            found = ninefold.augment_array(puzzles, answers, n=2)
            found = found if isinstance(found, (list, tuple)) else found.to_pylist()
        assert len(warned) == 1 and (len(found) == 4 or found[0][:2].any() and not found[0][2:].any())
        details = ninefold.augment_array(puzzles, answers, n=2, details=True)
        assert (details if isinstance(details, list) else details.to_pylist())[3]["status"] == "unreadable"
    with pytest.raises(UserWarning, match="because of its answer"):
        ninefold.augment_array([EASY], ["53"])


@pytest.mark.parametrize("group", ["form", "solution", "row"])
def test_parts_are_those_of_the_program(program: str, group: Any, tmp_path: Path) -> None:
    moved = ninefold.augment_array(LIST[:150], n=2, seed=3)
    puzzles = [*LIST[:150], *moved, BLANK, SOLVED, MARKS, EASY, "nonsense"]
    Random(1).shuffle(puzzles)
    out = tmp_path / f"{group}.txt"
    options = ["--split", "a=0.5,b=0.3,c=0.2", "--seed", "9", "--group", group]
    run(program, "select", *options, "-o", str(out), text="\n".join(puzzles) + "\n")
    parts = ninefold.split_array(puzzles, {"a": 0.5, "b": 0.3, "c": 0.2}, seed=9, group=group)
    for part in "abc":
        lines = out.with_name(f"{group}.{part}.txt").read_text().split()
        assert lines == [puzzle for puzzle, it in zip(puzzles, parts) if it == part], part
    of_digits = np.array([[int(it) if it > "." else 0 for it in puzzle] for puzzle in LIST])
    wanted = ninefold.split_array(LIST, {"a": 0.5, "b": 0.5}, group=group)
    for form in (of_digits, np.array([it.replace(".", "0") for it in LIST]), pa.array([it.replace(".", "_") for it in LIST])):
        assert list(map(str, ninefold.split_array(form, {"a": 0.5, "b": 0.5}, group=group))) == wanted


def check_data_set(program: str, folder: Path, seed: int) -> None:
    """A random data set with random groups and shares, divided by the program in several ways and here."""
    random = Random(seed)
    group = random.choice(["form", "solution", "row"])
    cuts = sorted(random.sample(range(1, 100), random.randrange(1, 4)))
    shares = {f"p{place}": end - start for place, (start, end) in enumerate(zip([0, *cuts], [*cuts, 100]))}
    # A row: its puzzle, its form, its solution. Two puzzles of a solution differ in a clue.
    rows, most = [], random.choice([1, 1, 4])
    for number, puzzle in enumerate(random.sample(LIST, random.randrange(1, 80))):
        blank = puzzle.index(".")
        other = puzzle[:blank] + str(ninefold.solve(puzzle))[blank] + puzzle[blank + 1 :]
        for _ in range(random.randint(1, most)):
            kind = random.choice([puzzle, other] if most > 1 else [puzzle])
            copy = ninefold.Isomorphism.random(random.getrandbits(32)).apply_array([kind])[0]
            rows.append((copy, (number, kind), number))
    random.shuffle(rows)
    kinds = [random.choice(["easy", 'a "b", c', "schwör", "7", ""]) for _ in rows]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=random.choice(["\n", "\r\n"]))
    writer.writerows([("id", "puzzle", "kind"), *((place, row[0], it) for place, (row, it) in enumerate(zip(rows, kinds)))])
    source = folder / "in.csv"
    source.write_bytes(text.getvalue().encode())

    split = ",".join(f"{name}={share / 100}" for name, share in shares.items())
    options = ["--split", split, "--group", group, "--seed", str(seed)]

    def select(name: str, *more: str, limit: int = 0) -> dict[str, bytes]:
        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        command = [program, "select", str(source), *options, "-q", "-o", str(folder / f"{name}.csv"), *more]
        run = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited if limit else None)
        if limit:
            return {}
        assert run.returncode == 0, (seed, run.stderr)
        return {part: (folder / f"{name}.{part}.csv").read_bytes() for part in shares}

    whole = select("one", "-j", "1")
    assert select("two", "-j", "2") == whole, seed
    for limit in (900, 3000):
        select(f"late{limit}", "--resume", limit=limit)
        assert select(f"late{limit}", "--resume") == whole, seed
    shards = [select(f"s{shard}", "--shard", f"{shard}/3") for shard in (1, 2, 3)]
    assert {part: b"".join(it[part] for it in shards) for part in shares} == whole, seed

    found: dict[int, str] = {}
    for part, content in whole.items():
        ids = [int(row["id"]) for row in csv.DictReader(io.StringIO(content.decode(), newline=""))]
        assert ids == sorted(ids)
        found |= dict.fromkeys(ids, part)
    assert sorted(found) == list(range(len(rows))), seed
    of_class: dict[Any, str] = {}
    for place, (_, form, solution) in enumerate(rows):
        of_class_of = {"form": form, "solution": solution, "row": place}[group]
        assert of_class.setdefault(of_class_of, found[place]) == found[place], (seed, place)
    puzzles = [row[0] for row in rows]
    if group == "row":
        # Here a row is a puzzle, and in the program all of a line.
        source.write_text("\n".join(puzzles) + "\n")
        lines = {part: it.decode().split() for part, it in select("lines").items()}
    parts = ninefold.split_array(puzzles, {name: share / 100 for name, share in shares.items()}, seed, group=group)  # type: ignore[arg-type]
    if group == "row":
        assert {part: [row for row, it in zip(puzzles, parts) if it == part] for part in shares} == lines, seed
    else:
        assert parts == [found[place] for place in range(len(rows))], seed


@pytest.mark.parametrize("seed", range(12))
def test_random_data_sets_are_divided_alike_in_every_way(program: str, tmp_path: Path, seed: int) -> None:
    """test_large.py has 200 of them."""
    check_data_set(program, tmp_path, seed)


def test_a_bank_finds_what_it_has() -> None:
    with pytest.warns(UserWarning, match="1 of 6 rows without a puzzle"):
        bank = ninefold.Bank(pa.array([EASY, None, "nonsense", LIST[0], LIST[0], MARKS]))
    turned = ninefold.Isomorphism.random(4).apply_array([LIST[0], LIST[1], EASY, None, "nonsense", MARKS])
    assert len(bank) == 3
    assert bank.contains_array(turned) == [True, False, True, None, False, True]
    assert bank.first_array(turned) == [3, -1, 0, None, -1, 5]
    exact = ninefold.Bank(pa.chunked_array([[EASY], [LIST[0], EASY]]), same="exact")
    assert len(exact) == 2
    assert exact.first_array([*turned[:3], LIST[0], EASY.replace(".", "0")]) == [-1, -1, -1, 1, 0]
    large = ninefold.Bank(LIST, threads=2)
    assert large.first_array(pl.Series(LIST)).to_pylist() == [LIST.index(it) for it in LIST]
    for it in (bank, exact, large):
        again = pickle.loads(pickle.dumps(it))
        assert len(again) == len(it) and repr(again) == repr(it)
        assert again.first_array(LIST[:50] + turned) == it.first_array(LIST[:50] + turned)
    with ProcessPoolExecutor(1) as workers:
        assert workers.submit(large.first_array, LIST[40:60]).result() == list(range(40, 60))
    with pytest.raises(ValueError, match="same: "):
        ninefold.Bank([], same="alike")  # type: ignore[arg-type]
    assert len(ninefold.Bank(pa.array([], pa.string()))) == 0


def test_copies_of_a_bank_are_no_leak(program: str, tmp_path: Path) -> None:
    """`select --not-in` removes the rows that a bank has."""
    (tmp_path / "test.txt").write_text("\n".join(LIST[:100]) + "\n")
    copies = ninefold.augment_array(LIST[50:150])
    left = run(program, "select", "--not-in", str(tmp_path / "test.txt"), text="\n".join(copies) + "\n").split()
    has = ninefold.Bank(LIST[:100]).contains_array(copies)
    assert left == [puzzle for puzzle, it in zip(copies, has) if not it] and len(left) == 50


def test_a_row_of_a_table_is_repeated_for_each_of_its_copies() -> None:
    job = AddColumn(ninefold.augment_array, "puzzle", "copy", "ray", {"n": 3, "answer_column": "solution"})
    rows = pa.table({"id": [1, 2], "puzzle": LIST[:2], "solution": ninefold.solve_array(LIST[:2])})
    for given in (rows, rows.to_batches()[0]):
        found = job(given)
        assert found["id"].to_pylist() == [1, 1, 1, 2, 2, 2] and found.schema == job.schema(rows.schema)
        wanted = pa.chunked_array(ninefold.augment_array(rows, n=3, answer_column="solution")).to_pylist()
        assert found["copy"].to_pylist() == wanted
    assert job(rows.slice(0, 0)).num_rows == 0


def test_every_library_gets_its_own_type_back() -> None:
    puzzles, answers = [EASY, None, SOLVED], [SOLVED, SOLVED, None]
    wanted = ninefold.augment_array(puzzles, answers, n=2, seed=1)
    texts, solved = [it and it["puzzle"] for it in wanted], [it and it["solution"] for it in wanted]
    assert texts[2:4] == [None, None] and solved[4:] == [None, None] and len(texts) == 6
    assert ninefold.augment_array(puzzles, n=2, seed=1) == texts
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        found = pa.array(ninefold.augment_array(pa.array(puzzles, kind), n=2, seed=1))
        assert found.to_pylist() == texts
        assert found.type == (pa.string() if pa.types.is_dictionary(kind) else kind)
    frame = pd.DataFrame({"puzzle": puzzles, "solution": answers}, index=["a", "b", "c"])
    found = ninefold.augment_array(frame, answer_column="solution", n=2, seed=1)
    assert list(found.index) == ["a", "a", "b", "b", "c", "c"] and list(found.columns) == ["puzzle", "solution"]
    assert [None if pd.isna(it) else it for it in found["puzzle"]] == texts
    assert list(ninefold.augment_array(frame["puzzle"], n=2, seed=1).index) == list(found.index)
    table = pl.DataFrame({"puzzle": puzzles, "solution": answers})
    found = pl.Series(ninefold.augment_array(table, answer_column="solution", n=2, seed=1)).struct.unnest()
    assert found["puzzle"].to_list() == texts and found["solution"].to_list() == solved
    apply = ninefold.polars.apply
    lazy = table.lazy().select(
        part=apply(pl.col("puzzle"), ninefold.split_array, parts={"a": 0.5, "b": 0.5}),
        copy=apply(pl.struct("puzzle", "solution"), ninefold.augment_array, column="puzzle", answer_column="solution"),
        known=apply(pl.col("puzzle"), ninefold.Bank([EASY]).contains_array),
    )
    row = lazy.collect().row(0, named=True)
    assert row["known"] and row["part"] == ninefold.split_array([EASY], {"a": 0.5, "b": 0.5})[0]
    assert ninefold.verify(**{"puzzle": row["copy"]["puzzle"], "answer": row["copy"]["solution"]})
    connection = duckdb.connect()
    ninefold.duckdb.register(connection, "part", ninefold.split_array, parts={"a": 0.5, "b": 0.5})
    ninefold.duckdb.register(connection, "known", ninefold.Bank([EASY]).contains_array)
    ninefold.duckdb.register(connection, "copy", ninefold.augment_array, parameters=2)
    part, known, copy = connection.sql(f"SELECT part('{EASY}'), known('{EASY}'), copy('{EASY}', '{SOLVED}')").fetchall()[0]
    assert (part, known) == (row["part"], True) and copy == row["copy"]


def digits(texts: list[str]) -> Any:
    return np.array([[int(it) if it > "." else 0 for it in text] for text in texts], np.int64)


def test_numpy_and_lists_of_one() -> None:
    x, y = digits([EASY, LIST[0]]), digits([SOLVED, ninefold.solve(LIST[0])])
    copies, answers = ninefold.augment_array(x, y, n=5)
    assert copies.shape == answers.shape == (10, 81) and copies.dtype == x.dtype
    assert ninefold.verify_array(copies, answers).all()
    assert (ninefold.augment_array(x.reshape(-1, 9, 9), n=5) == copies.reshape(-1, 9, 9)).all()
    assert ninefold.augment_array(x[0], n=5).shape == (5, 81) and ninefold.augment_array(x[0]).shape == (81,)
    parts = ninefold.split_array(x, {"a": 0.5, "b": 0.5})
    assert parts.shape == (2,) and x[parts == "a"].shape[1:] == (81,)
    map = ninefold.Isomorphism.random(6)
    assert "".join(map.apply_array(x)[0].astype(str)) == map.apply(EASY).replace(".", "0")
    assert ninefold.Bank(x).first_array(copies).tolist() == [0] * 5 + [1] * 5


def test_wrong_arguments_say_what_is_right() -> None:
    for call, message in (
        (lambda: ninefold.augment_array([EASY], n=0), "n: expected 1 or more, found 0"),
        (lambda: ninefold.augment_array([EASY], n=3, kinds=["transpose"]), "at most 2 different copies of the kinds transpose"),
        (lambda: ninefold.augment_array([EASY], kinds=["turn"]), "kinds: "),  # type: ignore[list-item]
        (lambda: ninefold.split_array([EASY], {"a": 0.5}), "parts: the shares add up to 0.5, not to 1"),
        (lambda: ninefold.split_array([EASY], {"a": 1.0}, group="color"), "group: "),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert ninefold.split_array([EASY] * 3, {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}, group="row")


# An independent judge of the copies: it knows the text of a map, and numpy.


def moved(cells: Any, text: str) -> Any:
    """The grid that a map makes of another: `t0 r123456789 c123456789 d123456789`."""
    turn, rows, columns, labels = text.split()
    grid = cells.reshape(9, 9)
    grid = grid.T if turn == "t1" else grid
    grid = grid[[int(it) - 1 for it in rows[1:]]][:, [int(it) - 1 for it in columns[1:]]]
    return np.array([0, *map(int, labels[1:])])[grid].reshape(81)


def is_solution(grids: Any) -> Any:
    """Whether each row, column and box has all digits."""
    lines = grids.reshape(-1, 9, 9)
    boxes = lines.reshape(-1, 3, 3, 3, 3).swapaxes(2, 3).reshape(-1, 9, 9)
    full = [(np.sort(it, axis=2) == np.arange(1, 10)).all(axis=(1, 2)) for it in (lines, lines.swapaxes(1, 2), boxes)]
    return np.logical_and.reduce(full)


def chi_square(counts: Counter[Any], kinds: int) -> float:
    """The chi-square test of equal chances as a standard normal number (Wilson and Hilferty, 1931)."""
    expected = counts.total() / kinds
    assert len(counts) <= kinds
    statistic = sum((it - expected) ** 2 for it in counts.values()) / expected + (kinds - len(counts)) * expected
    free = kinds - 1
    return float(((statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5)


def check_copies(n: int, seed: int) -> None:
    details = pa.array(ninefold.augment_array(pa.array([EASY]), pa.array([SOLVED]), n=n, seed=seed, details=True))
    maps = details.field("map").to_pylist()
    puzzles, answers = (digits(details.field(it).to_pylist()) for it in ("puzzle", "solution"))
    puzzle, answer = digits([EASY])[0], digits([SOLVED])[0]
    assert (puzzles == [moved(puzzle, it) for it in maps]).all()
    assert (answers == [moved(answer, it) for it in maps]).all()
    assert is_solution(answers).all() and ((puzzles == 0) | (puzzles == answers)).all()
    assert len({it.tobytes() for it in puzzles}) == n
    counts: dict[str, Counter[Any]] = {}
    for text in maps:
        turn, rows, columns, labels = text.split()
        facts: dict[str, Any] = {"turn": turn}
        for name, lines in (("rows", rows[1:]), ("columns", columns[1:])):
            facts[f"{name}: bands"] = lines[::3].translate(str.maketrans("123456789", "111222333"))
            for band in range(3):
                facts[f"{name} {band}"] = lines[3 * band : 3 * band + 3].translate(str.maketrans("123456789", "123123123"))
            facts[name] = lines
        for digit in range(9):
            facts[f"digit {digit}"] = labels[1 + digit]
        facts["first digits"] = labels[1:4]
        for name, fact in facts.items():
            counts.setdefault(name, Counter())[fact] += 1
    kinds = {"turn": 2, "rows": 1296, "columns": 1296, "first digits": 504}
    for name, count in counts.items():
        size = kinds.get(name, 9 if name.startswith("digit") else 6)
        # A chance of 1 in 30,000 for each of 23 tests.
        assert chi_square(count, size) < 4, (name, count)


def test_copies_are_uniform() -> None:
    check_copies(5_000, seed=1)


def test_hundred_thousand_copies_are_uniform() -> None:
    check_copies(100_000, seed=2)


def test_the_recipe_of_the_guide_keeps_the_rows_of_the_program(program: str, tmp_path: Path) -> None:
    """A bad row stands before a good one of its class: malformed, with a wrong answer, or not unique."""
    examples = doctest.DocTestParser().get_examples((ROOT / "docs/datasets.md").read_text())
    start, end = (next(place for place, it in enumerate(examples) if text in it.source) for text in ("bank = ", "clean.height"))
    puzzles, test = LIST[:120], LIST[100:130]
    answers = list(ninefold.solve_array(puzzles))
    bad = [(puzzles[place], answers[place - 1]) for place in range(40)] + [(it[:-1] + "x", answer) for it, answer in zip(puzzles, answers)]
    rows = [*bad, (BLANK, SOLVED), *zip(puzzles, answers)] + [
        (copy.apply(it), copy.apply(answer)) for it, answer in zip(puzzles, answers) for copy in [ninefold.Isomorphism.random(1)]
    ]
    Random(5).shuffle(rows)
    table = pl.DataFrame(rows, ["quizzes", "solutions"], orient="row")
    known: dict[str, Any] = {"table": table, "test": pl.DataFrame({"quizzes": test}), "ninefold": ninefold, "pl": pl, "apply": ninefold.polars.apply}
    for example in examples[start:end]:
        exec(example.source, known)
    table.write_csv(tmp_path / "sudoku.csv")
    known["test"].write_csv(tmp_path / "test.csv")
    options = ["--status", "unique", "--answer", "right", "--unseen", "--not-in", str(tmp_path / "test.csv")]
    wanted = run(program, "select", str(tmp_path / "sudoku.csv"), *options, text="").splitlines()[1:]
    assert [",".join(it) for it in known["clean"].select("quizzes", "solutions").rows()] == wanted and len(wanted) == 100
