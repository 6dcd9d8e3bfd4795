"""The commands as they are typed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from judge.author.new import new
from judge.command import main


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIVE_LINES_EXERCISES", str(tmp_path))
    return tmp_path


def test_new_says_what_to_write(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new("first", root, number=4)
    assert main(["new", "second"]) == 0
    assert "number = 5" in (root / "second" / "exercise.toml").read_text()
    printed = capsys.readouterr().out
    assert (
        printed.index("statement.en.md") < printed.index("test_hidden.py") < printed.index("verify second --seeds 20")
    )


@pytest.mark.parametrize("id", ["Second", "two words", "first", "taken", "../up"])
def test_names_that_new_does_not_take(id: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new("first", root, number=4)
    (root / "taken").mkdir()
    assert main(["new", id]) == 2
    assert id in capsys.readouterr().err


def test_verify_as_json_and_its_exit_status(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new("first", root, number=1)
    assert main(["verify", "--seeds", "0", "--json"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    report = json.loads(line)
    assert report["exercise"] == "first"
    assert {finding["kind"] for finding in report["findings"]} == {"template"}
    for path in (root / "first").rglob("*"):
        if path.is_file():
            path.write_text(path.read_text() + "\n")
    assert main(["verify", "first", "--seeds", "0"]) == 0
    assert "first: clean, read only" in capsys.readouterr().out


def test_new_texts_come_with_the_entries_to_translate(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = new("first", root, number=1) / "test_hidden.py"
    suite.write_text(
        suite.read_text()
        + """

def test_more(learner):
    'A "title" that nobody has translated'
"""
    )
    main(["verify", "first", "--seeds", "0"])
    printed = capsys.readouterr().out
    assert "For locale/zh.po:" in printed
    assert r'msgid "A \"title\" that nobody has translated"' in printed


def test_a_root_that_is_not_configured_and_one_that_is_not_there(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "first", "--root", str(tmp_path / "class")]) == 0
    assert f"export FIVE_LINES_EXERCISES={root}{os.pathsep}{tmp_path / 'class'}" in capsys.readouterr().out
    monkeypatch.setenv("FIVE_LINES_EXERCISES", str(tmp_path / "clas"))
    assert main(["list"]) == 0
    assert f"there is no folder {tmp_path / 'clas'}" in capsys.readouterr().err


DESCRIPTION = 'number = 1\ndifficulty = "easy"\nfunctions = ["f"]\nchapter = "data"\n'
# What is done to a folder so that it cannot even be read, and the file that is named.
UNREADABLE = {
    "a missing file": ("statement.zh.md", None),
    "a title that is none": ("statement.en.md", "Title\n"),
    "no hint": ("hints.zh.md", "\n"),
    "not Python": ("test_hidden.py", "def"),
    "not TOML": ("exercise.toml", "number ="),
    "a field that is none": ("exercise.toml", DESCRIPTION + "level = 1\n"),
    "no such difficulty": ("exercise.toml", DESCRIPTION.replace("easy", "soft")),
    "a function that is no name": ("exercise.toml", DESCRIPTION.replace('"f"', '"f()"')),
    "a limit out of bounds": ("exercise.toml", DESCRIPTION + "[limits]\nwall_s = 1000\n"),
    "a mistake without a sentence": ("wrong/in_place.py", "def f(x):\n    return x\n"),
    "a catalogue that is none": ("locale/zh.po", "msgid\n"),
}  # fmt: skip


def test_folders_that_cannot_be_read(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, (file, content) in enumerate(UNREADABLE.values()):
        path = new(f"bad-{number}", root, number=1) / file
        path.unlink() if content is None else path.write_text(content)
    assert main(["verify", "--json", "--seeds", "0"]) == 1
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {report["exercise"]: [finding["file"] for finding in report["findings"]] for report in reports} == {
        f"bad-{number}": [file] for number, (file, _) in enumerate(UNREADABLE.values())
    }
    assert all(finding["cause"] for report in reports for finding in report["findings"])


def test_an_exercise_that_there_is_not(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "nothing"]) == 2
    assert main(["mutate", "nothing"]) == 2
    assert "there is no exercise 'nothing'" in capsys.readouterr().err
