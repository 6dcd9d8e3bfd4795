"""A new folder judges as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.author.judging import Judging
from judge.author.new import STEPS, TEMPLATE, new
from judge.author.verify import verify
from judge.exercise import load_exercises


def test_a_new_folder_judges_as_it_stands(tmp_path: Path, judging: Judging) -> None:
    new("early-warm-up", tmp_path, number=7)
    shelf = load_exercises([tmp_path])
    exercise = shelf.exercises["early-warm-up"]
    assert (exercise.number, exercise.functions) == (7, ("early_warm_up",))
    report = verify(exercise, shelf, judging, [1], lambda *_: None)
    files = [path for path in TEMPLATE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert {finding.kind for finding in report.findings} == {"template"}
    assert len(report.findings) == len(files)
    assert (report.checks, report.wrong, report.flakes) == (2, 3, 0)


def test_the_steps_name_all_files() -> None:
    steps = {name for names, _ in STEPS for name in names.split(", ")}
    for path in TEMPLATE.rglob("*"):
        name = path.relative_to(TEMPLATE).as_posix()
        if path.is_file() and path.suffix != ".pyc":
            assert name in steps or f"{Path(name).parts[0]}/" in steps


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "solution.py").write_text("mine")
    with pytest.raises(FileExistsError):
        new("mine", tmp_path, number=1)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["solution.py"]
