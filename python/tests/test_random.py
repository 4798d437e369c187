"""Random arrays: the answers are those of the rows, one by one."""

import random
from typing import Any

import ninefold
import pyarrow as pa
import pytest
from conftest import BLANK, CLASH, EASY, NONE, SOLVED, TWO

TEXTS = [EASY, SOLVED, TWO, CLASH, NONE, "", "x", EASY[1:], EASY + "1", "é", "\0" * 81, EASY.replace(".", "_")]
KINDS = [pa.string(), pa.large_string(), pa.string_view(), pa.binary_view(), pa.large_binary(), pa.dictionary(pa.int16(), pa.string())]


def status(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return ("none", "unique", "multiple")[ninefold.count(text, 2)] if text != CLASH else "conflict"
    except ninefold.PuzzleError as error:
        return error.status


STATUS = {text: status(text) for text in [*TEXTS, None]}


@pytest.mark.parametrize("seed", range(60))
def test_random_arrays(seed: int) -> None:
    rng = random.Random(seed)
    rows = rng.choices([*TEXTS, None], k=rng.randrange(200))
    kind = rng.choice(KINDS)
    puzzles: Any = pa.array(rows)
    puzzles = puzzles.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else puzzles.cast(kind)
    for _ in range(3):
        # Slices of slices: offsets that are no multiples of 8.
        start = rng.randrange(len(rows) + 1)
        end = rng.randrange(start, len(rows) + 1)
        puzzles, rows = puzzles[start:end], rows[start:end]
        threads = rng.randrange(4)
        found = pa.array(ninefold.solve_array(puzzles, limit=2, details=True, threads=threads))
        found.validate(full=True)
        assert found.field("status").to_pylist() == [STATUS[it] for it in rows]
        assert found.is_null().to_pylist() == [it is None for it in rows]
        plain = pa.array(ninefold.solve_array(puzzles, limit=2, threads=threads))
        plain.validate(full=True)
        assert plain.type == (kind if kind in KINDS[:3] else pa.string())
        assert plain.is_null().to_pylist() == [it is None for it in rows]
        cuts = sorted(rng.choices(range(len(rows) + 1), k=3))
        pieces = [puzzles[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)])]
        chunked = pa.chunked_array(ninefold.solve_array(pa.chunked_array(pieces, puzzles.type), limit=2))
        assert chunked.to_pylist() == plain.to_pylist()
