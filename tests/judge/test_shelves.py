"""Exercises that change while they are in use."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge import shelves as module
from judge.exercise import Exercise, read_exercise, write_failed
from judge.shelves import Shelves
from tests.conftest import SmallDisk


@pytest.fixture
def shelves(exercises: Path) -> Iterator[Shelves]:
    shelves = Shelves([exercises], rest_s=0)
    yield shelves
    shelves.close()


def tiny(shelves: Shelves) -> Exercise:
    found = shelves.get("tiny")
    assert found is not None
    return found


def test_a_change_is_seen(shelves: Shelves, exercises: Path) -> None:
    first = tiny(shelves)
    assert tiny(shelves) is first
    (exercises / "tiny" / "wrong").mkdir()
    (exercises / "tiny" / "wrong" / "idle.py").write_text('"""Does nothing."""\n')
    second = tiny(shelves)
    assert second.hash != first.hash
    assert list(second.mistakes) == ["idle"]


def test_folders_come_and_go(shelves: Shelves, exercises: Path) -> None:
    shutil.copytree(exercises / "tiny", exercises / "second")
    assert list(shelves.shelf().exercises) == ["second", "tiny"]
    (exercises / "tiny").rename(exercises / "small")
    assert list(shelves.shelf().exercises) == ["second", "small"]
    assert shelves.shelf().folders["small"] == exercises / "small"


def test_a_version_stays_as_it_was(shelves: Shelves, exercises: Path) -> None:
    first = tiny(shelves)
    (exercises / "tiny" / "starter.py").write_text("def f(x):\n    return 0\n")
    second = tiny(shelves)
    assert first.starter == "def f(x):\n    ...\n"
    assert second.starter == "def f(x):\n    return 0\n"
    assert read_exercise(first.root).hash == first.hash


def test_a_version_is_removed_when_nobody_holds_it(shelves: Shelves, exercises: Path) -> None:
    first = tiny(shelves)
    root = first.root
    (exercises / "tiny" / "starter.py").write_text("")
    tiny(shelves)
    assert root.exists()
    del first
    gc.collect()
    assert not root.parent.exists()
    last = tiny(shelves).root
    shelves.close()
    assert not last.parents[1].exists()


def test_a_broken_folder_keeps_its_last_good_version(shelves: Shelves, exercises: Path) -> None:
    written = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)  # a whole second: file times are finer than a datetime
    for path in (exercises / "tiny").rglob("*"):
        os.utime(path, (written.timestamp(), written.timestamp()))
    good = tiny(shelves)
    (exercises / "tiny" / "probe.py").write_text("def broken(:\n")
    assert tiny(shelves) is good
    (problem,) = shelves.shelf().problems
    assert (problem.folder, problem.file) == (exercises / "tiny", "probe.py")
    assert problem.shown == written
    (exercises / "tiny" / "probe.py").write_text("")
    assert tiny(shelves) is not good
    assert shelves.shelf().problems == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("wrong/failed.json", "[" * 100_000),
        ("exercise.toml", "x = " + "[" * 50_000),
        ("exercise.toml", "number = " + "9" * 5_000),
        ("solution.py", "x = " + "-" * 100_000 + "1"),
        ("wrong/idle.py", '"""\\ud800"""\n'),
    ],
)
def test_a_file_that_no_parser_can_read_breaks_its_folder_only(
    shelves: Shelves, exercises: Path, file: str, text: str
) -> None:
    shutil.copytree(exercises / "tiny", exercises / "other")
    good = tiny(shelves)
    (exercises / "tiny" / "wrong").mkdir(exist_ok=True)
    (exercises / "tiny" / file).write_text(text)
    assert tiny(shelves).solution == good.solution
    assert list(shelves.shelf().exercises) == ["other", "tiny"]
    assert file == "wrong/failed.json" or [problem.folder.name for problem in shelves.shelf().problems] == ["tiny"]


def test_a_file_may_be_of_any_time(shelves: Shelves) -> None:
    assert module._changed_at((("a", 300_000_000_000 * 10**9, 1),)).year == 9999


def test_a_full_disk_keeps_the_last_good_versions(
    exercises: Path, small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk.path))
    shelves = Shelves([exercises], rest_s=0)
    good = tiny(shelves)
    small_disk.fill()
    starter = exercises / "tiny" / "starter.py"
    starter.write_text("x = 1\n")
    shutil.copytree(exercises / "tiny", exercises / "second")
    assert shelves.shelf().exercises == {"tiny": good}
    assert ["cannot be copied" in problem.cause for problem in shelves.shelf().problems] == [True, True]
    small_disk.empty()
    assert list(shelves.shelf().exercises) == ["second", "tiny"]
    assert tiny(shelves).starter == "x = 1\n"
    assert shelves.shelf().problems == []
    shelves.close()


def test_a_folder_that_never_was_good_is_left_out(shelves: Shelves, exercises: Path) -> None:
    (exercises / "empty").mkdir()
    shutil.copytree(exercises / "tiny", exercises / "broken")
    (exercises / "broken" / "exercise.toml").unlink()
    assert list(shelves.shelf().exercises) == ["tiny"]
    assert [(problem.folder.name, problem.shown) for problem in shelves.shelf().problems] == [
        ("broken", None),
        ("empty", None),
    ]


def test_of_two_of_one_id_the_first_is_kept_also_when_it_breaks(exercises: Path, tmp_path: Path) -> None:
    shutil.copytree(exercises, tmp_path / "private")
    shelves = Shelves([exercises, tmp_path / "private"], rest_s=0)
    good = tiny(shelves)
    (exercises / "tiny" / "probe.py").write_text("def broken(:\n")
    assert tiny(shelves) is good
    assert [problem.folder.parent for problem in shelves.shelf().problems] == [exercises, tmp_path / "private"]
    shelves.close()


def test_a_folder_that_changes_while_it_is_copied_is_read_later(
    shelves: Shelves, exercises: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = tiny(shelves)
    copied = module._copied
    starter = exercises / "tiny" / "starter.py"

    def copied_meanwhile(folder: Path, home: Path) -> Path:
        copy = copied(folder, home)
        starter.write_text(starter.read_text() + "\n")
        return copy

    monkeypatch.setattr(module, "_copied", copied_meanwhile)
    starter.write_text("def f(:\n")
    assert tiny(shelves) is good
    assert shelves.shelf().problems == []
    monkeypatch.undo()
    starter.write_text("x = 1\n")
    assert tiny(shelves).starter == "x = 1\n"


def test_what_editors_and_python_leave_is_no_change(shelves: Shelves, exercises: Path) -> None:
    first = tiny(shelves)
    folder = exercises / "tiny"
    (folder / ".starter.py.swp").write_text("x")
    (folder / ".#starter.py").symlink_to("nobody@nowhere")
    (folder / "starter.py~").write_text("x")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "probe.cpython-311.pyc").write_bytes(b"x")
    assert tiny(shelves) is first
    assert read_exercise(folder).hash == first.hash
    (folder / "probe.py").write_text("")
    assert not [path for path in tiny(shelves).root.iterdir() if path.name[0] in "._" or path.name[-1] == "~"]


def test_what_verify_kept_travels_along(shelves: Shelves, exercises: Path) -> None:
    (exercises / "tiny" / "wrong").mkdir()
    (exercises / "tiny" / "wrong" / "idle.py").write_text('"""Does nothing."""\n')
    before = tiny(shelves)
    write_failed(read_exercise(exercises / "tiny"), {"idle.py": ["doubles"]})
    after = tiny(shelves)
    assert after.failed == {"idle.py": {"doubles"}}
    assert after.hash == before.hash


def test_links_are_followed_and_dangling_ones_left_out(shelves: Shelves, exercises: Path, tmp_path: Path) -> None:
    tiny(shelves)
    (tmp_path / "shared.md").write_text("# Shared\n")
    statement = exercises / "tiny" / "statement.en.md"
    statement.unlink()
    statement.symlink_to(tmp_path / "shared.md")
    (exercises / "tiny" / "dangling").symlink_to("nowhere")
    assert tiny(shelves).title() == "Shared"
    (tmp_path / "shared.md").write_text("# Shared by two\n")
    assert tiny(shelves).title() == "Shared by two"


def test_the_disk_is_left_alone_for_a_while(exercises: Path) -> None:
    shelves = Shelves([exercises], rest_s=3600)
    first = tiny(shelves)
    shutil.rmtree(exercises)
    assert tiny(shelves) is first
    shelves.close()


def test_what_a_killed_process_left_is_removed(
    exercises: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    holding = "from judge.shelves import Shelves; held = Shelves([]); print('ready', flush=True); input()"
    other = subprocess.Popen([sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    (theirs,) = (tmp_path / "temporary").iterdir()
    Shelves([exercises]).close()
    assert theirs.exists()
    other.kill()
    other.communicate()
    Shelves([exercises]).close()
    assert list((tmp_path / "temporary").iterdir()) == []


def test_no_exercises_is_no_error(tmp_path: Path) -> None:
    shelves = Shelves([tmp_path / "nowhere"])
    assert shelves.get("tiny") is None
    shelves.close()
