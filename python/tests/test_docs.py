"""The examples of docstrings, of docs/python.md and of the guides."""

import ast
import doctest
import functools
import inspect
import os
import shutil
import textwrap
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


def test_editors_show_the_docstrings() -> None:
    """UPDATE_DOCS=1 writes them into the types."""
    path = ROOT / "python/python/ninefold/_ninefold.pyi"
    text, places, seen = path.read_text(), [], set()
    lines = text.splitlines(keepends=True)
    for owner in ast.parse(text).body:
        inside = [it for it in owner.body if isinstance(it, ast.FunctionDef)] if isinstance(owner, ast.ClassDef) else []
        for node in [owner, *inside]:
            name = getattr(node, "name", "_")
            path_of = (owner.name, name) if node is not owner else (name,)  # type: ignore[union-attr]
            if any(it.startswith("_") for it in path_of) or path_of in seen or not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                continue
            seen.add(path_of)
            thing = functools.reduce(getattr, path_of, ninefold)
            places.append((node, inspect.getdoc(thing), ast.get_docstring(node)))
    if os.environ.get("UPDATE_DOCS"):
        for node, doc, _ in sorted(places, key=lambda it: -it[0].lineno):
            first, indent = node.body[0], " " * (node.col_offset + 4)
            has_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
            body = textwrap.indent(f'"""{doc}\n"""' if "\n" in doc else f'"""{doc}"""', indent, lambda line: line != "\n")
            if has_doc:
                lines[first.lineno - 1 : first.end_lineno] = [body + "\n"]
            elif isinstance(node, ast.ClassDef):
                lines[node.lineno : node.lineno] = [body + "\n\n"]
            else:
                line = lines[first.lineno - 1]
                lines[first.lineno - 1] = line[: line.rindex(" ...")] + "\n" + body + "\n"
        path.write_text("".join(lines))
    else:
        assert [doc for _, doc, _ in places] == [found for *_, found in places]


PAGES = ["docs/python.md", "docs/datasets.md", "docs/guide/data-set.md", "docs/recipes.md", "python/README.md", "python/python/ninefold/__init__.py"]


@pytest.mark.parametrize("name", PAGES)
def test_guides(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "docs/guide/data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried > 0 and failed == 0
