"""The examples of docstrings, of docs/python.md and of the guides."""

import doctest
import shutil
from pathlib import Path

import ninefold
import pytest
from conftest import ROOT

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
NAMED = [name for name in ninefold.__all__ if callable(getattr(ninefold, name))] + ["duckdb", "polars"]


@pytest.mark.parametrize("name", NAMED)
def test_docstrings(name: str) -> None:
    thing = getattr(ninefold, name)
    texts = {name: thing.__doc__ or ""}
    if isinstance(thing, type):
        texts |= {f"{name}.{it}": getattr(thing, it).__doc__ or "" for it in vars(thing) if not it.startswith("_")}
    else:
        assert ">>> " in texts[name], f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for place, text in texts.items():
        runner.run(doctest.DocTestParser().get_doctest(text, {}, place, None, 0))
    assert runner.summarize(verbose=False).failed == 0


PAGES = ["docs/python.md", "docs/datasets.md", "docs/guide/data-set.md", "docs/recipes.md", "python/README.md", "python/python/ninefold/__init__.py"]


@pytest.mark.parametrize("name", PAGES)
def test_guides(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "docs/guide/data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried > 0 and failed == 0
