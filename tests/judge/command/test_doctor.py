"""What `doctor` says of a machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from judge.command import main
from judge.sandbox.wall import NoWall
from tests.conftest import CASES


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVE_LINES_EXERCISES", str(CASES))


def test_a_machine_with_a_wall(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    @contextmanager
    def judge() -> Iterator[None]:
        yield

    monkeypatch.setattr("judge.command.doctor.Judge", judge)
    assert main(["doctor"]) == 0
    rows = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert rows["Sandbox"].strip().startswith("bubblewrap ")
    assert rows["Exercises"].strip() == "3"
    assert set(rows) >= {"Python", "torch", "Rights", "Limits", "Device"}
    assert main(["doctor", "--lang", "zh"]) == 0
    assert "沙箱" in capsys.readouterr().out


def test_a_machine_without(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def judge() -> None:
        raise NoWall("bubblewrap (bwrap) is not installed. Install it")

    monkeypatch.setattr("judge.command.doctor.Judge", judge)
    assert main(["doctor"]) == 1
    assert "none: bubblewrap (bwrap) is not installed. Install it" in capsys.readouterr().out
