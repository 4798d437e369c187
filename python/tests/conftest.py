"""Puzzles and helpers for all tests."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"
CLASH = "55" + "." * 79
NONE = ".12345678" + "........." + "9........" + "." * 54
BLANK = "." * 81
MARKS = "123456789" * 81

ROWS = [EASY, None, TWO, CLASH, NONE, "", "53", SOLVED, "é" * 40 + "1", None, EASY.replace(".", "0")]


@pytest.fixture(scope="session")
def program() -> str:
    """The program, to compare with: the one that NINEFOLD names, or one that cargo has built."""
    names = [os.environ.get("NINEFOLD"), *(ROOT / f"target/{it}/ninefold" for it in ("release", "debug"))]
    for name in names:
        if name and Path(name).exists():
            return str(name)
    pytest.skip("no program: build it, or name it in NINEFOLD")
