"""The same answers as the program, on every list."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import ninefold
import polars as pl
import pyarrow as pa
import pytest
from conftest import EASY, MARKS, ROOT, ROWS

LISTS = [path.relative_to(ROOT).as_posix() for path in sorted([*ROOT.glob("data/*.txt"), *ROOT.glob("tests/data/hard.txt")])]


def puzzles_of(name: str, most: int) -> list[str]:
    lines = [re.split("[#,:]", line)[0].strip() for line in (ROOT / name).read_text().splitlines()]
    return [line for line in lines if line][:most]


def run(program: str, *arguments: str, lines: list[str]) -> list[dict[str, Any]]:
    run = subprocess.run([program, *arguments, "-q", "--format", "jsonl"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.parametrize("name", [*LISTS, "rows"])
def test_each_list(program: str, name: str) -> None:
    lines = [it for it in ROWS if it] if name == "rows" else puzzles_of(name, 2000)
    assert lines
    puzzles = pa.array(lines)
    for limit in (1, 2, 5):
        records = run(program, "solve", "--limit", str(limit), lines=lines)
        found = ninefold.solve_array(puzzles, limit=limit, details=True).to_pylist()
        for record, row in zip(records, found, strict=True):
            for key in ("solution", "status", "solutions"):
                assert record[key] == row[key], record
            # The program shows a byte.
            assert (record.get("reason") or "").replace("'\\xc3'", "'é'") == (row["reason"] or "")
        series = pl.Series(ninefold.solve_array(pl.Series(lines), limit=limit, details=True))
        assert series.struct.field("solution").to_list() == [it["solution"] for it in records]
    for form in ("minlex", "solution"):
        records = run(program, "canon", "--form", form, lines=lines)
        found = ninefold.canonical_array(puzzles, form=form, details=True).to_pylist()
        for record, row in zip(records, found, strict=True):
            for key in ("form", "status", "automorphisms"):
                assert record[key] == row[key], record
    few = lines[:200]
    records = run(program, "rate", lines=few)
    for record, row in zip(records, ninefold.rate_array(pa.array(few)).to_pylist(), strict=True):
        for key in ("status", "technique", "grade"):
            assert record[key] == row[key], record
        for key in ("er", "ep", "ed"):
            wanted = record[key] and float(record[key])
            assert wanted == row[key], record
        if record["effort"] is not None:
            assert round(row["effort"], 3) == pytest.approx(record["effort"], abs=0.0006)
    records = run(program, "solve", "--all", "--max", "3", lines=few)
    lists = ninefold.solutions_array(pa.array(few), 3).to_pylist()
    assert [it["solution"] for it in records if it["solution"]] == [it for them in lists for it in them]


def test_lists_of_puzzles(program: str) -> None:
    """Neighbors and minimal puzzles are those that the program writes for each source."""
    lines = [EASY, ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...", "." * 81, "abc"]
    for options, wanted in (
        (["neighbors", "--per-source"], ninefold.neighbors_array(lines)),
        (["neighbors", "--per-source", "--minimal"], ninefold.neighbors_array(lines, minimal=True)),
        (["neighbors", "--per-source", "--minus", "2", "--plus", "2", "--pattern", "same"],
            ninefold.neighbors_array(lines, minus=2, plus=2, pattern="same", threads=2)),
        (["neighbors", "--per-source", "--minus", "2", "--plus", "0"], ninefold.neighbors_array(lines, minus=2, plus=0)),
        (["minimize", "--seed", "7"], ninefold.minimize_array(lines, seed=7)),
        (["minimize", "--fewest"], ninefold.minimize_array(lines, which="fewest")),
        (["minimize", "--all", "--max", "5"], ninefold.minimize_array(lines, which="all", max=5)),
    ):
        written = subprocess.run([program, options[0], "-q", *options[1:]], input="\n".join(lines), capture_output=True, text=True).stdout
        puzzles = [line for line in written.splitlines() if not line.startswith("#")]
        assert puzzles == [it for them in wanted for it in them], options
        assert wanted[2:] == [[], []] and (wanted[0] or wanted[1]), options
    details = ninefold.minimize_array(pa.array([*lines, None]), which="all", max=5, details=True).to_pylist()
    assert [it and it["status"] for it in details] == ["more", "minimal", "multiple", "malformed", None]
    details = ninefold.neighbors_array(pa.array([*lines, MARKS]), details=True).to_pylist()
    assert [it["status"] for it in details] == ["unique", "unique", "multiple", "malformed", "sukaku"]
    for wrong in ({"minus": 6}, {"plus": -1}, {"pattern": "same", "plus": 2}, {"pattern": "other"}):
        with pytest.raises(ValueError):
            ninefold.neighbors_array(lines, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        ninefold.minimize_array(lines, which="least")  # type: ignore[arg-type]


def test_made_puzzles(program: str) -> None:
    for options, wanted in (
        ([], {}),
        (["--clues", "25..27", "--symmetry", "rotate"], {"clues": (25, 27), "symmetry": "rotate"}),
        (["--grade", "naked-singles"], {"grade": "naked-singles"}),
    ):
        made = subprocess.run([program, "generate", "-q", "-n", "20", "-s", "5", *options], capture_output=True, text=True, check=True)
        assert ninefold.generate(20, seed=5, **wanted) == made.stdout.split()  # type: ignore[arg-type]


@pytest.mark.parametrize("boards", [False, True])
def test_steps(program: str, boards: bool) -> None:
    marks = "".join("123456789" if it == "." else it.rjust(int(it), ".").ljust(9, ".") for it in EASY)
    *_, nested = (ROOT / "crates/core/tests/rating_chains.csv").read_text().split()
    nested = nested.partition(",")[0]
    lines = [it for it in ROWS if it] + puzzles_of("tests/data/hard.txt", 20) + ninefold.generate(30, seed=3) + [marks, nested]
    records = run(program, "steps", *["--boards"] * boards, lines=lines)
    details = ninefold.steps_array(pa.array(lines), boards=boards, details=True, threads=2).to_pylist()
    lists = ninefold.steps_array(lines, boards=boards)
    assert any(it["chains"] for steps in lists for it in steps)
    assert any("[forcing-x-chain:" in str(it["chains"]) for it in lists[-1])
    for line, record, row, steps in zip(lines, records, details, lists, strict=True):
        assert (record["status"], record.get("reason")) == (row["status"], row["reason"])
        assert (record["steps"] or []) == row["steps"] == steps
        if record["status"] == "unique":
            assert ninefold.steps(line, boards=boards) == steps
            assert max([it["score"] for it in steps], default=0) == ninefold.rate(line, measures=["er"]).er
            assert not boards or not steps or steps[-1]["board"] == ninefold.solve(line)
    assert not boards or "board" in lists[0][0]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_scores_are_numbers_in_sql(program: str, tmp_path: Path, ending: str) -> None:
    """A score that is not known is null, and a column says why: `er > 4` is a condition in SQL."""
    easy, hard, blank = EASY, "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", "." * 81
    given, rated = tmp_path / "given.txt", tmp_path / f"rated.{ending}"
    given.write_text("\n".join([easy, hard, blank, "abc"] * 5) + "\n")
    for most, expected in (("6.2", (0, 5, 5)), ("11.9", (5, 5, 0))):
        words = [program, "rate", "-q", "--force", "--measure", "er", "--max-er", most, str(given), "-o", str(rated)]
        assert subprocess.run(words, check=False).returncode == 1
        scores = duckdb.read_csv(str(rated)) if ending == "csv" else duckdb.read_parquet(str(rated))
        types = dict(zip(scores.columns, map(str, scores.types), strict=True))
        assert types["er"] == "DOUBLE", types
        above = f"status = 'unique' and er is null and er_bound = 'above {most}'"
        counts = f"count(*) filter (er > 4), count(*) filter (er < 4), count(*) filter ({above})"
        assert duckdb.sql(f"select {counts} from scores").fetchall() == [expected]
