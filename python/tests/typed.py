"""Not run: mypy checks that the types say what users need."""

from typing import Any

from typing_extensions import assert_type

import ninefold
import numpy as np
import numpy.typing as npt


class Column:
    """What any Arrow library has."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        raise NotImplementedError


def each(puzzle: str, digits: npt.NDArray[np.uint8]) -> None:
    assert_type(ninefold.solve(puzzle), str)
    assert_type(ninefold.count(puzzle, 2), int)
    assert_type(ninefold.is_unique(puzzle), bool)
    assert_type(ninefold.solutions(puzzle, limit=2), list[str])
    assert_type(ninefold.canonical(puzzle, form="solution"), str)
    assert_type(ninefold.isomorphism(puzzle, puzzle), ninefold.Isomorphism | None)
    assert_type(ninefold.rate(puzzle, measures=["er"]).er, float | None)
    assert_type(ninefold.steps(puzzle, boards=True)[0], ninefold.Step)
    assert_type(ninefold.steps(puzzle)[0]["score"], float)
    assert_type(ninefold.steps_array(digits, as_numpy=True), ninefold.StepArrays)
    assert_type(ninefold.rate(puzzle)._asdict(), dict[str, Any])
    assert_type(ninefold.solve_array([puzzle]), list[Any])
    assert_type(ninefold.solve_array(Column()), ninefold.Array)
    assert_type(ninefold.solve_array(Column())["status"], ninefold.Array)
    assert_type(ninefold.solve_array(digits), Any)
    assert_type(ninefold.texts(digits), list[str])
    assert_type(puzzle in ninefold.Bank([]), bool)
    ninefold.Bank([]).add_array(ninefold.tokens([puzzle]))
    ninefold.polars.apply
    assert_type(ninefold.generate(3, clues=(24, 26), grade="singles"), list[str])
    assert_type(ninefold.generate_array(3), ninefold.Array)
    assert_type(ninefold.evaluate([puzzle], [puzzle]), dict[str, Any])
    assert_type(ninefold.evaluate([puzzle], [puzzle], details=True), tuple[dict[str, Any], Any])
    assert_type(ninefold.evaluate([puzzle], [puzzle], details=bool(puzzle)), Any)
    ninefold.rate(puzzle, measures="er")
    ninefold.solve_array(digits)
    ninefold.solve_array(Column(), column="puzzle", details=True, threads=2)
    ninefold.verify_array(ninefold.solve_array(Column()), Column())
    ninefold.augment_array(digits, digits, n=8, kinds=["digits"])
    ninefold.split_array(Column(), {"train": 0.9, "test": 0.1}, group="solution")
    assert_type(len(ninefold.Bank(Column(), same="exact")), int)
    assert_type(ninefold.Isomorphism.random(1), ninefold.Isomorphism)
    ninefold.augment_array(digits, kinds=["turn"])  # type: ignore[list-item]
    for array in ninefold.solve_array(digits):
        print(array)
    try:
        ninefold.solve(puzzle)
    except ninefold.PuzzleError as error:
        assert_type(error.status, str)
    except ninefold.SudokuError:
        pass
    ninefold.canonical(puzzle, "least")  # type: ignore[arg-type]
    ninefold.solve(17)  # type: ignore[arg-type]
    ninefold.solve_array("53..7")  # type: ignore[call-overload]
    ninefold.solve_array(["53..7", None], progress=True)
    ninefold.solve_array([[5, 3, 0]], threads=0)
    assert_type(ninefold.rate(puzzle).reason, str | None)
    ninefold.solve_array(Column(), progress="yes")  # type: ignore[call-overload]
