"""What comes back, and what is refused: line ends, types, memory, threads, seeds."""

import gc
import inspect
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from typing import Any

import ninefold
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import BLANK, CLASH, EASY, MARKS, ROOT, SOLVED, TWO

MADE = ninefold.generate(100)
TOKENS = np.array([[int(it) if it > "." else 0 for it in text] for text in MADE], np.uint8)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_end_is_no_part_of_a_puzzle(end: str) -> None:
    lines = [EASY + end, MARKS + end, "5x" + end]
    assert ninefold.solve(lines[0]) == SOLVED and ninefold.verify(lines[0], SOLVED + end)
    for given in (lines, pa.array(lines), pa.array(lines, pa.string_view()), np.array(lines), pl.Series(lines), np.array(lines, "S")):
        details = list(ninefold.solve_array(given, details=True).to_pylist() if not isinstance(given, list) else ninefold.solve_array(given, details=True))
        assert [it["status"] for it in details] == ["solved", "solved", "malformed"]
        assert details[0]["solution"] == SOLVED and details[2]["reason"].endswith("found 'x'")
    assert ninefold.verify_array(lines[:1], [SOLVED + end]) == [True]
    assert ninefold.split_array(lines, {"a": 0.5, "b": 0.5}, group="row") == ninefold.split_array([EASY, MARKS, "5x"], {"a": 0.5, "b": 0.5}, group="row")
    assert len(ninefold.Bank([it + end for it in MADE])) == 100


def test_a_bank_says_what_it_leaves_out() -> None:
    with pytest.warns(UserWarning, match="^2 of 5 rows without a puzzle; row 1: column 1: expected 1 to 9, '.' or '0', found 'x'$"):
        bank = ninefold.Bank([EASY, "x", None, TWO, "5"])
    assert (len(bank), bank.malformed, pickle.loads(pickle.dumps(bank)).malformed) == (2, 2, 2)
    with pytest.warns(UserWarning, match="^1 of 2 rows without a puzzle; row 1: expected 81 cells, found 1$"):
        assert bank.add_array([SOLVED, "5"]) == [True, False]
    assert bank.malformed == 3
    with pytest.raises(ninefold.ArrayError, match="^no puzzles: 100 of 100 rows without a puzzle; row 0: row . column .: expected 0 to 9, found 10$"):
        ninefold.Bank(TOKENS + 1)
    with pytest.raises(ninefold.ArrayError, match="^no puzzles: all rows are null$"):
        ninefold.Bank(pa.nulls(3))
    assert len(ninefold.Bank([])) == 0


def test_a_bank_grows() -> None:
    random = np.random.default_rng(1)
    rows = [MADE[place] for place in random.integers(0, 100, 300)]
    wanted = [rows.index(it) == place for place, it in enumerate(rows)]
    turned = [ninefold.Isomorphism.random(place).apply(it) for place, it in enumerate(rows)]
    for kind in (list, np.array, pa.array, pd.Series, pl.Series, lambda it: pa.chunked_array([it[:60], [], it[60:]])):
        bank, found = ninefold.Bank([]), []
        for start in (0, 120, 200):
            found += list(bank.add_array(kind(turned[start : [120, 200, 300][start // 100]])))
        assert found == wanted and bank.first_array(rows) == [rows.index(it) for it in rows]
        # Equal banks have equal pickles, however they were filled, and in another process.
        assert pickle.dumps(bank) == pickle.dumps(ninefold.Bank(rows))
    assert ninefold.Bank([EASY]).add_array([None, EASY, TWO]) == [None, False, True]
    added = bank.add_array(pd.Series([EASY, None], index=[3, 5]))
    assert added.index.tolist() == [3, 5] and added[3] and added.isna()[5]
    assert turned[7] in bank and BLANK not in bank and BLANK not in ninefold.Bank([], same="exact")
    with pytest.raises(ninefold.MalformedError):
        "53" in bank
    with pytest.raises(TypeError):
        17 in bank  # type: ignore[operator]
    script = "import ninefold, pickle, sys, zlib; print(zlib.crc32(pickle.dumps(ninefold.Bank(ninefold.generate(50)))))"
    assert len({subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout for _ in range(2)}) == 1


def test_other_threads_run_while_lists_are_made() -> None:
    steps = ninefold.steps_array(pa.array(MADE * 8))

    def longest_wait() -> float:
        """The longest time that another thread waits, as a share of the time that the lists take."""
        longest, stop = [0.0], threading.Event()

        def look() -> None:
            last = time.perf_counter()
            while not stop.wait(0.001):
                now = time.perf_counter()
                longest[0], last = max(longest[0], now - last), now

        watcher, start = threading.Thread(target=look), time.perf_counter()
        watcher.start()
        assert len(steps.to_pylist()) == 800
        stop.set()
        watcher.join()
        return longest[0] / (time.perf_counter() - start)

    gc.disable()  # its looks at all objects take long, too
    try:
        # On a busy machine threads wait for other reasons.
        assert min(longest_wait() for _ in range(5)) < 1 / 3
    finally:
        gc.enable()


def test_full_collections_wait_while_lists_are_made() -> None:
    script = """
import gc, signal, ninefold
puzzles, usual, full = ninefold.generate(100) * 20, gc.get_threshold(), []
gc.callbacks.append(lambda phase, info: phase == "start" and info["generation"] == 2 and full.append(gc.get_threshold()))
lists = ninefold.steps_array(puzzles)
assert gc.get_threshold() == usual and len(full) < 2, (usual, full)

steps = ninefold.steps_array(ninefold.generate_array(100))
signal.signal(signal.SIGALRM, lambda *_: gc.set_threshold(900, 12, 14))
signal.setitimer(signal.ITIMER_REAL, 0.01)
while gc.get_threshold() == usual:
    steps.to_pylist()
assert gc.get_threshold() == (900, 12, 14), "restored over those of the user"
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_signal_ends_the_making_of_a_list() -> None:
    def wake(*_: object) -> None:
        raise TimeoutError

    steps, before = ninefold.steps_array(pa.array(MADE * 8)), signal.signal(signal.SIGALRM, wake)
    thresholds = gc.get_threshold()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(TimeoutError):
            steps.to_pylist()
            time.sleep(1)
            pytest.fail("the handler ran too late")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert gc.get_threshold() == thresholds


def test_arrays_of_numpy_are_not_copied() -> None:
    """An input is read where it is, and a result is written once."""
    import resource

    rows = np.tile(TOKENS, (3000, 1))

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    before = peak()
    solved = ninefold.solve_array(rows)
    assert peak() - before < 2 * rows.nbytes
    assert (solved[:100] > 0).all() and solved.flags.writeable
    solved[0] = 0  # nobody else has it
    assert (ninefold.solve_array(rows[:3]) == solved[100:103]).all()
    part = rows.reshape(-1, 9, 9)[::2, ::-1]  # not in one piece
    assert (ninefold.tokens(part) == part.reshape(-1, 81)).all()


def test_bytes_that_can_change_are_read() -> None:
    text = bytearray(EASY.encode())
    for given in ([text], [memoryview(text), EASY.encode(), None], pd.Series([text]), np.array([text, None], object)):
        assert list(ninefold.solve_array(given))[0] == SOLVED


def test_the_cells_of_one_puzzle_are_refused() -> None:
    for cells in (list(EASY), np.array(list(EASY)), np.array(list(EASY), "S"), [EASY[start : start + 9].encode() for start in range(0, 81, 9)]):
        with pytest.raises(ninefold.WrongTypeError, match="found a list of (81 cells|9 rows)"):
            ninefold.solve_array(cells)


def test_objects_of_polars_are_refused() -> None:
    column = pl.Series("puzzle", [EASY, 5], dtype=pl.Object)
    for given in (column, column.to_frame()):
        with pytest.raises(ninefold.WrongTypeError, match="of Python objects; write series.to_list\\(\\)$"):
            ninefold.solve_array(given)


def test_an_array_is_an_array() -> None:
    rows = [EASY, None, TWO, CLASH]
    rates = ninefold.rate_array(pa.array(rows))
    assert len(rates) == 4 and [it and it["status"] for it in rates] == ["unique", None, "multiple", "conflict"]
    assert rates["er"].to_pylist() == [1.2, None, None, None] and rates[0]["er"] == 1.2
    table = np.asarray(rates)
    assert table.shape == (4,) and table["er"].dtype == float and table["status"].tolist() == ["unique", None, "multiple", "conflict"]
    assert len(pd.Series(rates["status"])) == 4 and pd.DataFrame({"er": rates["er"]})["er"].max() == 1.2
    assert pl.Series(rates).struct.field("er").to_list() == rates["er"].to_pylist() == pa.array(rates).field("er").to_pylist()
    assert np.asarray(ninefold.count_array(pa.array(rows[::2]), 5)).dtype == np.int64
    digits = ninefold.solve_array(pa.array(TOKENS.tolist()))
    assert np.asarray(digits).shape == (100, 81) and np.array(digits, np.int32).dtype == np.int32
    assert np.asarray(ninefold.steps_array(pa.array(rows)))[3] == []
    assert rates[-1] == rates[3] and rates[-4]["er"] == 1.2
    for rows_of in (slice(1, 3), slice(-2, None), slice(4, 9), slice(None), slice(3, 1)):
        assert rates[rows_of].to_pylist() == rates.to_pylist()[rows_of]
        assert rates[rows_of]["status"].to_pylist() == rates["status"].to_pylist()[rows_of]
    for wrong, error in (("x", KeyError), (4, IndexError), (-5, IndexError), (1.5, TypeError), (slice(0, 4, 2), ValueError)):
        with pytest.raises(error):
            rates[wrong]
    with pytest.raises(ValueError):
        np.array(rates, copy=False)


def kind_of(result: Any) -> Any:
    if isinstance(result, pd.DataFrame):
        return list(result.dtypes.items())
    kind = getattr(result, "dtype", None)
    return type(result), kind.kind if isinstance(result, np.ndarray) else kind, getattr(result, "shape", (0,))[1:]


@pytest.mark.parametrize(
    "rows",
    [pd.Series([EASY]), pd.Series([EASY], dtype=object), pd.Series([EASY]).array, np.array([EASY]), np.array([EASY], object),
     np.array([EASY], "S"), TOKENS, TOKENS.reshape(-1, 9, 9), TOKENS.astype(int), [EASY]],
    ids=str,
)
def test_no_rows_have_the_type_of_rows(rows: Any) -> None:
    for call in (
        ninefold.solve_array, ninefold.is_unique_array, ninefold.rate_array, ninefold.steps_array, ninefold.candidates_array,
        lambda it: ninefold.count_array(it, 2), lambda it: ninefold.solutions_array(it, 2), lambda it: ninefold.solve_array(it, details=True),
        lambda it: ninefold.split_array(it, {"a": 1.0}), lambda it: ninefold.evaluate(it, it, details=True)[1],
    ):
        assert kind_of(call(rows[:0])) == kind_of(call(rows)), call


def test_a_seed_is_named_and_one_is_usual(program: str) -> None:
    for call in (
        lambda seed: ninefold.generate(1, seed=seed), lambda seed: ninefold.rate(EASY, seed=seed), lambda seed: ninefold.augment_array([EASY], seed=seed),
        lambda seed: ninefold.split_array([EASY], {"a": 1.0}, seed=seed), lambda seed: ninefold.minimize_array([EASY], seed=seed), ninefold.Isomorphism.random,
    ):
        for seed in (-1, 2**64):
            with pytest.raises(ValueError, match=f"^seed: expected 0 to 18446744073709551615, found {seed}\\b"):
                call(seed)
    signatures = [inspect.signature(it).parameters for it in map(ninefold.__dict__.get, ninefold.__all__) if inspect.isbuiltin(it)]
    assert {it["seed"].default for it in signatures if "seed" in it} == {1} and sum("seed" in it for it in signatures) == 7
    for command in ("generate", "rate", "augment", "select", "minimize"):
        text = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
        assert "[default: 1]" in re.split(r"--seed <", text)[1].split("\n\n      -")[0], command
    made = subprocess.run([program, "generate", "-q", "-n", "3"], capture_output=True, text=True, check=True).stdout
    assert ninefold.generate(3) == made.split()


def test_a_character_is_shown_whole() -> None:
    for text in ("é" * 81, "é", EASY[:-1] + "→"):
        with pytest.raises(ninefold.MalformedError, match=r"found '[é→]'$"):
            ninefold.solve(text)
        assert ninefold.solve_array([text], details=True)[0]["reason"][-2] == next(it for it in text if it in "é→")


def test_texts_and_tokens() -> None:
    assert (ninefold.tokens(MADE) == TOKENS).all() and ninefold.tokens(MADE).dtype == np.uint8
    zeros = [it.replace(".", "0") for it in MADE]
    for given in (TOKENS, TOKENS.reshape(-1, 9, 9), TOKENS.astype(np.int64), zeros, pa.array(MADE), pl.Series(MADE), pd.Series(MADE), pa.chunked_array([MADE[:3], [], MADE[3:]])):
        assert ninefold.texts(given) == zeros and ninefold.texts(given, blank=".") == MADE
        assert (ninefold.tokens(given, threads=2) == TOKENS).all()
    assert ninefold.tokens([]).shape == ninefold.tokens(pa.chunked_array([], pa.string())).shape == (0, 81)
    assert ninefold.texts([MARKS], blank=".") == [MARKS] and ninefold.texts(TOKENS[0]) == zeros[:1]
    for wrong, why in (([EASY, "53"], "row 1: expected 81 cells"), ([EASY, None], "row 1: null"), (pa.chunked_array([[EASY] * 3, [EASY, "x"]]), "row 4: column 1")):
        for call in (ninefold.tokens, ninefold.texts):
            with pytest.raises(ninefold.MalformedError, match=f"^{why}"):
                call(wrong)
    with pytest.raises(ninefold.MalformedError, match="^row 0: expected 81 cells, found pencilmarks$"):
        ninefold.tokens([MARKS])
    with pytest.raises(ValueError, match="^blank: "):
        ninefold.texts(TOKENS, blank="x")


def masks_of(boards: Any) -> Any:
    """The candidates of boards (k, 81), by a slow way of numpy."""
    cells = np.arange(81)
    house = np.stack([cells // 9, cells % 9 + 9, cells // 27 * 3 + cells % 9 // 3 + 18])
    sees = (house[:, :, None] == house[:, None, :]).any(0)
    has = boards[:, :, None] == np.arange(1, 10)
    seen = np.einsum("ij,kjd->kid", sees.astype(np.int32), has.astype(np.int32)) > 0
    open_ = np.where(boards[:, :, None] > 0, has, ~seen)
    return (open_ << np.arange(9)).sum(-1).astype(np.uint16)


def test_candidates() -> None:
    wanted = masks_of(TOKENS)
    found = ninefold.candidates_array(TOKENS)
    assert found.dtype == np.uint16 and (found == wanted).all()
    assert ninefold.candidates_array(MADE) == wanted.tolist()
    assert ninefold.candidates_array(TOKENS.reshape(-1, 9, 9)).shape == (100, 9, 9)
    array = ninefold.candidates_array(pa.array([None, "x", MARKS]), details=True)
    assert array.to_pylist()[:2] == [None, {"candidates": None, "status": "malformed", "reason": "column 1: expected 1 to 9, '.' or '0', found 'x'"}]
    assert array["candidates"][2] == [511] * 81
    assert pl.Series(ninefold.candidates_array(pl.Series(MADE))).to_list() == wanted.tolist()


def test_steps_are_replayed_in_numpy() -> None:
    hard = [line.split("#")[0].strip() for line in (ROOT / "tests/data/hard.txt").read_text().splitlines()][:20]
    puzzles = [*MADE, *[it for it in hard if it], TWO, None, "x"]
    steps = ninefold.steps_array(puzzles, as_numpy=True, threads=2)
    lists = ninefold.steps_array(puzzles)
    assert np.diff(steps.offsets).tolist() == [len(it or []) for it in lists] and steps.offsets[-1] == len(steps.cell)
    assert [ninefold.TECHNIQUES[it] for it in steps.technique] == [it["technique"] for them in lists for it in them or []]
    for puzzle, start, end in zip(puzzles, steps.offsets, steps.offsets[1:]):
        if start == end:
            continue
        board, solution = ninefold.tokens([puzzle])[0], ninefold.tokens([ninefold.solve(puzzle)])[0]
        masks = masks_of(board[None])[0]
        for step in range(start, end):
            assert (steps.boards[step] == board).all() and (steps.candidates[step] == masks).all()
            cell, digit = steps.cell[step], steps.digit[step]
            if cell < 255:
                assert solution[cell] == digit and not board[cell]
                board[cell] = digit
                masks = np.where(board > 0, masks_of(board[None])[0], masks & masks_of(board[None])[0])
            else:
                assert digit == 0
            for cell, digit in steps.eliminations[steps.elimination_offsets[step] : steps.elimination_offsets[step + 1]].tolist():
                assert masks[cell] >> (digit - 1) & 1 and solution[cell] != digit
                masks[cell] -= 1 << (digit - 1)
        assert (board == solution).all()
    pieces = ninefold.steps_array(pa.chunked_array([puzzles[:50], [], puzzles[50:]]), as_numpy=True)
    assert all((one == other).all() for one, other in zip(steps, pieces))
    assert [it.shape for it in ninefold.steps_array(pa.chunked_array([], pa.string()), as_numpy=True)][-2:] == [(0, 81), (0, 81)]
    with pytest.raises(ValueError, match="as_numpy=True"):
        ninefold.steps_array(MADE, as_numpy=True, details=True)  # type: ignore[call-overload]


def test_modules_for_libraries_need_no_import() -> None:
    script = "import ninefold; print(*[getattr(ninefold, it).__name__ for it in 'dask datasets duckdb polars ray spark'.split()])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split()[1] == "ninefold.datasets"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        ninefold.nothing  # type: ignore[attr-defined]


def test_ratings_are_dictionaries() -> None:
    rating = ninefold.rate(EASY)
    assert rating._asdict()["er"] == 1.2 and ninefold.Rating(**rating._asdict()) == rating


def test_other_types_of_arrow_are_refused_by_name() -> None:
    for array, name in ((pa.RunEndEncodedArray.from_arrays([2], [EASY]), "RunEndEncoded"), (pa.array([TOKENS[0].tolist()], pa.list_view(pa.uint8())), "ListView")):
        with pytest.raises(ninefold.ArrayError, match=name):
            ninefold.solve_array(array)


def test_a_warning_is_shown_where_the_bank_is_made() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ninefold.Bank([EASY, "x"])
    assert caught[0].filename == __file__


def test_puzzles_are_made_by_difficulty_as_by_the_program(program: str) -> None:
    pattern = "..xx.xx...x..x..x.x...x...xx..xxx..x.x.x.x.x.x..xxx..xx...x...x.x..x..x...xx.xx.."
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"er": (3.0, 4.2)}, ["--er", "3.0..4.2"]),
        ({"er": 1.5}, ["--er", "1.5"]),
        ({"er": [None, 1.5], "clues": [26, 28]}, ["--er", "..1.5", "--clues", "26..28"]),
        ({"er": (7.0, None), "minimal": True}, ["--er", "7.0..", "--minimal"]),
        ({"technique": "x-wing"}, ["--technique", "x-wing"]),
        ({"uses": "naked-pair", "clues": (24, 26)}, ["--uses", "naked-pair", "--clues", "24..26"]),
        ({"pattern": pattern}, ["--pattern", pattern]),
    ]
    for options, words in cases:
        made = ninefold.generate(3, seed=5, **options)
        run = [program, "generate", "-q", "-n", "3", "--seed", "5", *words]
        assert made == subprocess.run(run, capture_output=True, check=True, text=True).stdout.split(), options
        assert ninefold.generate_array(3, seed=5, **options).to_pylist() == made
    assert {ninefold.rate(it, measures=["er"]).technique for it in ninefold.generate(3, technique="x-wing")} == {"x-wing"}
    for options, message in (
        ({"technique": "x"}, "technique: expected one of"),
        ({"uses": "none"}, "uses: expected a technique of a step"),
        ({"er": 3.14}, "er: expected a score such as 9.0"),
        ({"er": (4.2, 3.0)}, r"er: expected a score such as 9.0, or \(least, greatest\)"),
        ({"er": (3.0,)}, r"er: expected a score such as 9.0, or \(least, greatest\)"),
        ({"clues": "25"}, "clues: expected a number from 17 to 81, or"),
        ({"er": (9.0, None), "grade": "singles"}, "no puzzle has this grade"),
        ({"pattern": "xx"}, "pattern: "),
        ({"pattern": pattern, "clues": 30}, "leave clues, symmetry and minimal out"),
    ):
        with pytest.raises(ValueError, match=message):
            ninefold.generate(1, **options)
