"""Functions on strings."""

import pickle

import ninefold
import pytest
from conftest import BLANK, CLASH, EASY, MARKS, NONE, SOLVED, TWO


def test_each_answer() -> None:
    assert ninefold.solve(EASY) == SOLVED
    assert ninefold.solve(EASY.replace(".", "0")) == SOLVED
    assert ninefold.count(TWO, 10) == 2
    assert ninefold.count(TWO, 1) == 1
    assert ninefold.count(CLASH, 10) == 0
    assert ninefold.count(NONE, 10) == 0
    assert ninefold.is_unique(EASY) and not ninefold.is_unique(TWO)
    assert ninefold.solutions(EASY, 5) == [SOLVED]
    assert ninefold.solutions(CLASH, 5) == []
    both = ninefold.solutions(TWO, 5)
    assert len(both) == 2 and both == sorted(both) and SOLVED in both
    assert ninefold.verify(EASY, SOLVED) is True
    assert ninefold.verify(TWO, both[1]) is True


def test_sukakus() -> None:
    marks = "".join("123456789" if it == "." else "." * (int(it) - 1) + it + "." * (9 - int(it)) for it in EASY)
    assert ninefold.solve(marks) == SOLVED
    assert ninefold.count(MARKS, 7) == 7
    assert ninefold.verify(marks, SOLVED) is True
    assert len(ninefold.canonical(marks, "solution")) == 729
    with pytest.raises(ninefold.MalformedError, match="no minlex form"):
        ninefold.canonical(marks)
    rating = ninefold.rate(marks)
    assert rating.er >= ninefold.rate(EASY).er and rating.effort is None and rating.grade is None


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ninefold.solve("5x"), ninefold.MalformedError, "malformed puzzle: column 2: expected 1 to 9, '.' or '0', found 'x'"),
        (lambda: ninefold.solve("53"), ninefold.MalformedError, "malformed puzzle: expected 81 cells, found 2"),
        (lambda: ninefold.solve(CLASH), ninefold.ConflictError, "conflicting clues: 5 twice in row 1 (columns 1 and 2)"),
        (lambda: ninefold.solve(NONE), ninefold.NoSolutionError, "no solution"),
        (lambda: ninefold.count("", 1), ninefold.MalformedError, "malformed puzzle: expected 81 cells, found 0"),
        (lambda: ninefold.is_unique(" "), ninefold.MalformedError, "malformed puzzle: column 1: expected 1 to 9, '.' or '0', found ' '"),
        (lambda: ninefold.solutions("1", 1), ninefold.MalformedError, "malformed puzzle: expected 81 cells, found 1"),
        (lambda: ninefold.steps(TWO), ninefold.MultipleSolutionsError, "more than one solution"),
        (lambda: ninefold.steps(CLASH), ninefold.ConflictError, "conflicting clues: 5 twice"),
        (lambda: ninefold.rate(TWO), ninefold.MultipleSolutionsError, "more than one solution"),
        (lambda: ninefold.canonical(TWO, "solution"), ninefold.MultipleSolutionsError, "more than one solution"),
        (lambda: ninefold.canonical(NONE, "solution"), ninefold.NoSolutionError, "no solution"),
        (lambda: ninefold.verify(EASY, EASY), ninefold.WrongAnswerError, "wrong answer: row 1 column 3 is blank"),
        (lambda: ninefold.verify(EASY, "1"), ninefold.MalformedError, "malformed answer: expected 81 cells, found 1"),
        (lambda: ninefold.verify("1", SOLVED), ninefold.MalformedError, "malformed puzzle: expected 81 cells, found 1"),
        (lambda: ninefold.count(EASY, 0), ValueError, "limit: expected 1 or more, found 0"),
        (lambda: ninefold.solutions(EASY, -1), ValueError, "limit: expected 1 or more, found -1"),
        (lambda: ninefold.canonical(EASY, "least"), ValueError, "form: "),
        (lambda: ninefold.rate(EASY, measures=["es"]), ValueError, "measures: "),
        (lambda: ninefold.generate(1, clues=90), ValueError, "clues: expected a number from 17 to 81"),
        (lambda: ninefold.generate(1, clues=24, symmetry="full", grade="easy"), ValueError, "grade: "),
        (lambda: ninefold.Isomorphism.parse("t0"), ValueError, "not an isomorphism: "),
    ],
)
def test_each_error(call, error: type[Exception], message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(message)
    if issubclass(error, ninefold.PuzzleError):
        assert isinstance(raised.value, ninefold.SudokuError)
        assert isinstance(raised.value, ValueError)
        assert raised.value.status in ("malformed", "conflict", "none", "multiple", "wrong")
        again = pickle.loads(pickle.dumps(raised.value))
        assert type(again) is error and str(again) == str(raised.value)


def test_wrong_types() -> None:
    for call in (ninefold.solve, ninefold.is_unique, ninefold.rate, ninefold.canonical):
        with pytest.raises(TypeError):
            call(17)  # type: ignore[arg-type]
        with pytest.raises(ninefold.SudokuError):
            call(None)  # type: ignore[arg-type]


def test_forms_and_maps() -> None:
    form = ninefold.canonical(EASY)
    map = ninefold.isomorphism(EASY, form)
    assert map is not None
    assert map.apply(EASY) == form
    assert map.inverse().apply(form) == EASY
    assert map.then(map.inverse()).apply(EASY) == EASY
    assert ninefold.Isomorphism.parse(str(map)) == map
    assert hash(ninefold.Isomorphism.parse(str(map))) == hash(map)
    assert eval(repr(map), {"Isomorphism": ninefold.Isomorphism}) == map
    assert sorted(map.rows) == sorted(map.columns) == list(range(9))
    assert sorted(map.digits) == list(range(1, 10))
    assert isinstance(map.transposed, bool)
    assert ninefold.isomorphism(EASY, TWO) is None
    assert ninefold.canonical(form) == form
    assert ninefold.canonical(SOLVED) == ninefold.canonical(SOLVED[::-1])


def test_ratings() -> None:
    rating = ninefold.rate(EASY)
    assert (rating.effort, rating.effort_se, rating.er, rating.grade) == (0.0, 0.0, 1.2, "naked-singles")
    assert rating == ninefold.rate(EASY)
    only = ninefold.rate(EASY, measures=["grade"])
    assert (only.effort, only.er, only.technique, only.grade) == (None, None, None, "naked-singles")
    hard = ninefold.rate("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    assert (hard.er, hard.ep, hard.ed) == (10.7, 10.7, 9.7) and hard.technique == "nested-forcing-chain"
    assert hard.effort is not None and hard.effort > 10
    assert "er=10.7" in repr(hard)


def test_made_puzzles_have_what_was_asked_for() -> None:
    assert ninefold.generate(0) == []
    three = ninefold.generate(3, seed=7)
    assert len(set(three)) == 3 and all(map(ninefold.is_unique, three))
    assert ninefold.generate(2, seed=7, threads=2) == three[:2]
    assert ninefold.generate(1) == ninefold.generate(1, seed=1)
    for puzzle in ninefold.generate(2, seed=1, clues=(28, 30), symmetry="rotate"):
        clues = [it != "." for it in puzzle]
        assert 28 <= sum(clues) <= 30 and clues == clues[::-1]
    easy = ninefold.generate(1, seed=1, grade="naked-singles")[0]
    assert ninefold.rate(easy).grade == "naked-singles"
    assert ninefold.generate_array(3, seed=7).to_pylist() == three
    assert ninefold.generate_array(0).to_pylist() == []
    with pytest.raises(OverflowError, match="26512143"):
        ninefold.generate_array(26_512_144)


def test_the_package_is_typed_and_names_all() -> None:
    assert ninefold.__version__
    for name in ninefold.__all__:
        assert hasattr(ninefold, name), name
        assert getattr(ninefold, name).__doc__, name
