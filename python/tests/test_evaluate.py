"""Predictions judged: against numpy, and the program."""

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import ninefold
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import EASY, SOLVED, TWO

ROWS = 100_000
FLAGS = ("complete", "legal", "keeps_clues", "exact")
HOUSES = np.array(
    [[9 * i + j for j in range(9)] for i in range(9)]
    + [[9 * j + i for j in range(9)] for i in range(9)]
    + [[27 * (i // 3) + 3 * (i % 3) + 9 * (j // 3) + j % 3 for j in range(9)] for i in range(9)]
)


def _predictions() -> tuple[Any, Any, Any]:
    """Puzzles, truths, and predictions of every kind."""
    random = np.random.default_rng(7)
    made = ninefold.tokens(ninefold.generate(1000, seed=3))
    puzzles = made[random.integers(0, len(made), ROWS)]
    truths = ninefold.solve_array(puzzles)
    found = truths.copy()
    kind = random.integers(0, 6, ROWS)
    noise = random.integers(1, 10, found.shape, np.uint8)
    hit = random.random(found.shape)
    found = np.where((kind == 1)[:, None] & (hit < 0.1), noise, found)
    found = np.where((kind == 2)[:, None] & (hit < 0.3), 0, found)
    found = np.where((kind == 3)[:, None], found % 9 + 1, found)
    found = np.where((kind == 4)[:, None] & (puzzles == 0), noise, found)
    return puzzles, truths, np.where((kind == 5)[:, None], puzzles, found).astype(np.uint8)


def _expected(puzzles: Any, truths: Any, found: Any) -> dict[str, Any]:
    """What `evaluate` has in its table."""
    blank = puzzles == 0
    right = (blank & (found == truths)).sum(1)
    counts = np.stack([(found[:, HOUSES] == digit).sum(2) for digit in range(1, 10)])
    return {
        "cells": right / blank.sum(1),
        "right_cells": right,
        "blank_cells": blank.sum(1),
        "complete": (found > 0).all(1),
        "legal": (counts < 2).all((0, 2)),
        "keeps_clues": (blank | (found == puzzles)).all(1),
        "exact": (found == truths).all(1),
    }


def _check(totals: dict[str, Any], expected: dict[str, Any]) -> None:
    rows = len(expected["cells"])
    assert totals["rows"] == rows and totals["unscored"] == 0
    for name in (*FLAGS, "right_cells", "blank_cells"):
        assert totals[name] == expected[name].sum(), name
    assert totals["exact_accuracy"] == expected["exact"].sum() / rows
    assert totals["cell_accuracy"] == expected["right_cells"].sum() / expected["blank_cells"].sum()
    assert abs(totals["mean_cell_accuracy_of_rows"] - expected["cells"].mean()) < 1e-8


def test_predictions_are_judged_as_by_numpy(program: str, tmp_path: Path) -> None:
    puzzles, truths, found = _predictions()
    expected = _expected(puzzles, truths, found)
    clues = (puzzles > 0).sum(1)
    for answers in (None, truths):
        totals, rows = ninefold.evaluate(puzzles, found, answers, by="clues", details=True)
        _check(totals, expected)
        for name, values in expected.items():
            assert (np.asarray(rows[name]) == values).all(), name
        for bucket, of_bucket in totals["by"].items():
            _check(of_bucket, {name: it[clues == int(bucket)] for name, it in expected.items()})
        assert sum(it["rows"] for it in totals["by"].values()) == ROWS
    columns = {"puzzle": puzzles, "prediction": found, "solution": truths}
    table = pa.table({**{name: ninefold.texts(it) for name, it in columns.items()}, "of": clues})
    by = ninefold.evaluate(puzzles, found, by="clues")["by"]
    for form in (table, pl.from_arrow(table), table.to_pandas()):
        for answer_column in (None, "solution"):
            totals = ninefold.evaluate(form, by="of", answer_column=answer_column)
            _check(totals, expected)
            assert totals["by"] == by
    file, stats, records = (tmp_path / name for name in ("table.parquet", "stats.json", "records.csv"))
    pq.write_table(table.drop_columns("solution"), file)
    words = ["--columns", "puzzle=puzzle,solution=prediction", "--score", "--by", "of", "--format", "csv", "-qo", records]
    run = subprocess.run([program, "verify", file, *words, "--stats-json", stats], check=False)
    assert run.returncode == 1
    told = json.loads(stats.read_bytes())
    _check(told["score"], expected)
    same = {bucket: {name: it for name, it in counts.items() if name in by[bucket]} for bucket, counts in told["by"].items()}
    assert same == by
    with records.open() as lines:
        for place, row in enumerate(csv.DictReader(lines)):
            assert float(row["cells"]) == expected["cells"][place]
            assert all(row[flag] == str(expected[flag][place]).lower() for flag in FLAGS)


def test_rows_without_a_score_and_missing_predictions() -> None:
    totals, rows = ninefold.evaluate(
        [EASY, EASY, TWO, None, "x", SOLVED], [None, SOLVED[:80], SOLVED, SOLVED, SOLVED, SOLVED], by=list("aabbcc"), details=True
    )
    assert (totals["rows"], totals["missing"], totals["unscored"], totals["right_cells"]) == (2, 2, 4, 0)
    assert [it["unscored"] for it in totals["by"].values()] == [0, 2, 2]
    assert [it and it["cells"] for it in rows] == [0, 0, None, None, None, None]
    # The answer of the set is the truth of a puzzle with two solutions, if it is one of them.
    assert ninefold.evaluate([TWO, TWO], [SOLVED, SOLVED], [SOLVED, EASY])["exact"] == 1
    assert ninefold.evaluate([], [])["exact_accuracy"] is None

DIGITS = "123456789"
FORMS = [
    SOLVED, f" {SOLVED} ", f"{SOLVED}\n", f"\r\n\t{SOLVED}\u00a0", EASY, "", " ", "?", SOLVED[1:], SOLVED + "1", f"{SOLVED} {SOLVED}",
    SOLVED.replace("7", "x"), SOLVED.replace("7", " "), SOLVED.replace("3", "é"), SOLVED.replace("1", "\n"), SOLVED.replace("5", "|"),
    "x" + SOLVED[1:], "é" + SOLVED[1:], SOLVED[:80] + "x", "1" * 81, "?" * 81, "é" * 40 + "1", " ".join(SOLVED), f"Answer: {SOLVED}",
    f"{SOLVED}.", f"\\boxed{{{SOLVED}}}", f"```\n{SOLVED}\n```", f"<answer>{SOLVED}</answer>", f'"{SOLVED}"', f"[{SOLVED}]",
    "\n".join(SOLVED[row : row + 9] for row in range(0, 81, 9)), "123456789" * 81, str(list(map(int, SOLVED))), "null", "# no solution",
]


def _of_forms() -> list[list[int] | None]:
    """The digits of each form, by Python: None if it is malformed."""
    stripped = [form.strip() for form in FORMS]
    return [[int(cell) if cell in DIGITS else 0 for cell in text] if len(text) == 81 else None for text in stripped]


def test_each_form_of_a_prediction_has_one_score_in_each_container() -> None:
    wanted = [sum(cell == truth for cell, truth, clue in zip(it or [], map(int, SOLVED), EASY) if clue == ".") for it in _of_forms()]
    containers = [FORMS, binary := [it.encode() for it in FORMS], np.array(FORMS), np.array(FORMS, object), pd.Series(FORMS), pl.Series(FORMS)]
    containers += [pa.array(binary), *(pa.array(FORMS).cast(it) for it in (pa.large_string(), pa.string_view())), pa.array(FORMS).dictionary_encode()]
    for form in containers:
        for answers in (None, [SOLVED] * len(FORMS)):
            totals, rows = ninefold.evaluate([EASY] * len(FORMS), form, answers, details=True)
            assert [it["right_cells"] for it in pa.array(rows).to_pylist()] == wanted
            assert totals["missing"] == _of_forms().count(None) and totals["exact"] == 4


def test_a_cell_that_is_no_digit_is_one_wrong_cell() -> None:
    for wrong in (10, -1, 255, 300):
        cells = np.array([[int(it) for it in SOLVED]] * 3)
        cells[1, SOLVED.index("4")] = cells[2, 0] = wrong
        listed = pa.array(cells.tolist(), pa.list_(pa.int16(), 81))
        for form in (cells, cells.reshape(3, 9, 9), cells.tolist(), listed):
            totals, rows = ninefold.evaluate([EASY] * 3, form, details=True)
            assert [it["right_cells"] for it in pa.array(rows).to_pylist()] == [51, 50, 51]
            assert (totals["exact"], totals["complete"], totals["keeps_clues"], totals["missing"]) == (1, 1, 2, 0)


def test_streams_have_totals_and_rows() -> None:
    puzzles, predictions = [EASY, None, "x", EASY, TWO], [SOLVED, SOLVED, SOLVED, EASY, SOLVED]
    wanted, wanted_rows = ninefold.evaluate(puzzles, predictions, by=[1, 2, 1, 2, None], details=True)
    table = pa.table({"puzzle": puzzles, "prediction": predictions, "of": [1, 2, 1, 2, None]})
    pieces = pa.concat_tables([table[:1], table[1:1], table[1:]])
    for form in (table, pieces, pl.from_arrow(table), duckdb.from_arrow(table), table.to_pandas().convert_dtypes()):
        totals, rows = ninefold.evaluate(form, by="of", details=True)
        assert totals == wanted and totals["rows"] == 2 and len(rows) == 5
    for form in (pl.Series, lambda it: pa.chunked_array([it[:2], it[2:]])):
        totals, rows = ninefold.evaluate(form(puzzles), form(predictions), details=True)
        assert totals["exact"] == 1 and rows.to_pylist() == wanted_rows
    totals, rows = ninefold.evaluate(table[:0], details=True)
    assert totals["rows"] == len(rows) == 0 and rows["exact"].to_pylist() == []


def test_a_prediction_that_equals_a_wrong_answer_is_not_exact() -> None:
    other = SOLVED.replace("1", "x").replace("2", "1").replace("x", "2")
    puzzles, answers = [EASY, EASY, EASY, TWO, SOLVED], [SOLVED, EASY, other, other, SOLVED]
    for form in (list, ninefold.tokens, pa.array):
        totals, rows = ninefold.evaluate(form(puzzles), form(answers), form(answers), details=True)
        assert (totals["rows"], totals["exact"], totals["unscored"]) == (3, 1, 2)
        assert [it and it["exact"] for it in rows] == [True, False, False, False, False]


def test_what_is_refused() -> None:
    for words, message in (
        ({"predictions": [SOLVED, SOLVED]}, "same length, found 1 and 2 rows"),
        ({"predictions": [SOLVED], "by": ["a", "b"]}, "same length, found 1 and 2 rows"),
        ({"predictions": [SOLVED], "by": "er:x"}, "expected a width from 0.1"),
        ({"predictions": [SOLVED], "answer_column": "a"}, "answer_column names a column of a table"),
    ):
        with pytest.raises((ValueError, ninefold.ArrayError), match=message):
            ninefold.evaluate([EASY], **words)
    reader = pa.table({"puzzle": [EASY], "prediction": [SOLVED]}).to_reader()
    for form, by in (([EASY], "x"), ([EASY], 3), (ninefold.tokens([EASY]), "x"), (reader, "x")):
        with pytest.raises(ninefold.WrongTypeError, match='^by: expected "clues", "grade", "er" or "er:0.5", the name of a column of a table, or a sequence with a value'):
            ninefold.evaluate(form, None if form is reader else [SOLVED], by=by)
    with pytest.raises(KeyError):
        ninefold.evaluate(pd.DataFrame({"puzzle": [EASY], "prediction": [SOLVED]}), by="x")
