"""The warm judge that all tests share, and the small exercises it judges."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
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


@pytest.fixture
def demo_folder(tmp_path: Path) -> Path:
    """A copy of `demo` that a test may change."""
    return Path(shutil.copytree(CASES / "demo", tmp_path / "exercises" / "demo"))


@pytest.fixture(scope="session")
def target() -> Exercise:
    """One function and two checks, with tight limits: what attacks are aimed at."""
    return read_exercise(CASES / "target")


class SmallDisk:
    """A disk of a few MiB, mounted for one test, that can be filled."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filling = path / "filling"

    def fill(self) -> None:
        with suppress(OSError), self._filling.open("wb", buffering=0) as file:
            while file.write(bytes(4096)) == 4096:
                pass

    def empty(self) -> None:
        self._filling.unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")  # CI is root: there it runs
    path = tmp_path / "disk"
    path.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", path], check=True)
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was repelled, by kind of attack, and what the soak killed."""
    reports = [report for key in ("passed", "failed") for report in terminalreporter.stats.get(key, [])]
    attacks = [report for report in reports if "::test_attack[" in report.nodeid]
    if attacks:
        kinds = sorted({_kind(report) for report in attacks})
        terminalreporter.section("attacks")
        for kind in [*kinds, "in all"]:
            of_kind = [report for report in attacks if kind in ("in all", _kind(report))]
            repelled = sum(report.passed for report in of_kind)
            terminalreporter.write_line(f"{kind:8} {repelled:4} of {len(of_kind)} repelled")
    for report in reports:
        if "test_soak" in report.nodeid and report.capstdout:
            terminalreporter.write_line(report.capstdout.strip().splitlines()[-1])


def _kind(report: pytest.TestReport) -> str:
    return report.nodeid.partition("::test_attack[")[2].partition("/")[0]
