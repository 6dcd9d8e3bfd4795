"""The warm judge that all tests share, and the small exercises it judges."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.exercise import Exercise, read_exercise
from judge.grade import Judge
from tests import processes
from tests.ordinary_user import UserJudge

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    with Judge() as judge:
        yield judge
        ours = {judge._sandbox.process.pid, judge._examiner._process.pid}
        ours |= {child for pid in ours for child in processes.below(pid)}
    assert processes.eventually(lambda: not ours & set(processes.parents())), "a closed judge left processes behind"


@pytest.fixture(scope="session")
def user_judge() -> Iterator[UserJudge]:
    """A judge started by an ordinary user, whoever runs the tests."""
    with UserJudge() as judge:
        yield judge


@pytest.fixture(scope="session")
def demo() -> Exercise:
    """Three functions, five mistakes, a figure: what the core's tests need."""
    return read_exercise(CASES / "demo")


@pytest.fixture(scope="session")
def target() -> Exercise:
    """One function and two checks, with tight limits: what attacks are aimed at."""
    return read_exercise(CASES / "target")


MakeExercise = Callable[..., Exercise]


@pytest.fixture
def make_exercise(tmp_path: Path) -> MakeExercise:
    """make_exercise(suite, probe=..., limits="wall_s = 2"): `target` with another hidden suite."""

    def make(suite: str, *, probe: str = "", limits: str = "", wrong: dict[str, str] | None = None) -> Exercise:
        folder = tmp_path / "exercises" / "made"
        shutil.copytree(CASES / "target", folder)
        (folder / "test_hidden.py").write_text(suite)
        if probe:
            (folder / "probe.py").write_text(probe)
        if limits:
            description = (folder / "exercise.toml").read_text().partition("[limits]")[0]
            (folder / "exercise.toml").write_text(f"{description}[limits]\n{limits}\n")
        if wrong is not None:
            shutil.rmtree(folder / "wrong")
            (folder / "wrong").mkdir()
            for name, source in wrong.items():
                (folder / "wrong" / f"{name}.py").write_text(source)
        return read_exercise(folder)

    return make
