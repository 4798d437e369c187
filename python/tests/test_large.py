"""What takes long: 30 million rows in one array, more bytes than 32-bit offsets reach; 200 random data sets."""

from pathlib import Path

import ninefold
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import EASY, SOLVED
from test_sets import check_data_set

ROWS = 30_000_000


def available() -> int:
    """Bytes of memory that can be had, if the system tells."""
    try:
        with open("/proc/meminfo") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return 0


@pytest.mark.skipif(available() < 9e9, reason="needs 9 GB of memory")
def test_thirty_million_rows() -> None:
    text = np.tile(np.frombuffer(EASY.encode(), np.uint8), ROWS)
    offsets = np.arange(0, (ROWS + 1) * 81, 81, dtype=np.int64)
    puzzles = pa.LargeStringArray.from_buffers(ROWS, pa.py_buffer(offsets), pa.py_buffer(text))
    solved = pa.array(ninefold.solve_array(puzzles, threads=0))
    assert solved.type == pa.large_string() and len(solved) == ROWS
    assert pc.all(pc.equal(solved, SOLVED)).as_py()
    # The reasons of a struct are utf8, and too long together.
    texts = pa.py_buffer(np.full(45_000_000, ord("x"), np.uint8))
    ends = pa.py_buffer(np.arange(45_000_001, dtype=np.int32))
    malformed = pa.StringArray.from_buffers(45_000_000, ends, texts)
    assert pc.all(pc.equal(pa.array(ninefold.solve_array(malformed)), "")).as_py()
    with pytest.raises(ninefold.ArrayError, match="reason texts have more than 2,147,483,647 bytes"):
        ninefold.solve_array(malformed, details=True)


@pytest.mark.parametrize("seed", range(100, 300))
def test_two_hundred_random_data_sets(program: str, tmp_path: Path, seed: int) -> None:
    check_data_set(program, tmp_path, seed)
