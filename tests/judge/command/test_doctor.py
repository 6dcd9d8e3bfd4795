"""What `doctor` says of a machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    lines = capsys.readouterr().out.splitlines()
    rows = dict(line.split(": ", 1) for line in lines if not line.startswith("Weakened"))
    assert rows["Sandbox"].startswith("bubblewrap ")
    assert rows["Exercises"] == "3"
    assert set(rows) >= {"Python", "torch", "Rights", "Limits", "Device"}
    assert main(["doctor", "--lang", "zh"]) == 0
    assert "沙箱" in capsys.readouterr().out


def test_a_machine_without(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def judge() -> None:
        raise NoWall("bubblewrap (bwrap) is not installed. Install it")

    monkeypatch.setattr("judge.command.doctor.Judge", judge)
    assert main(["doctor"]) == 1
    assert "none: bubblewrap (bwrap) is not installed. Install it" in capsys.readouterr().out


def weaknesses(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    def judge() -> None:
        raise NoWall("none here")

    monkeypatch.setattr("judge.command.doctor.Judge", judge)
    main(["doctor"])
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("Weakened: ")]


def test_what_weakens_a_host_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("platform.release", lambda: "6.1.0-13-amd64")
    assert weaknesses(monkeypatch, capsys) == []

    shutil.copytree(CASES, tmp_path / "exercises")
    (tmp_path / "exercises").chmod(0o777)
    monkeypatch.setenv("FIVE_LINES_EXERCISES", str(tmp_path / "exercises"))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("platform.release", lambda: "5.4.0")
    root, kernel, folder = weaknesses(monkeypatch, capsys)
    assert "as root" in root
    assert "5.4.0" in kernel
    assert str(tmp_path / "exercises") in folder
