"""The command line of learners, with a judge that is warm already."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from judge.command import main
from judge.command.learner import judge_for_this_machine
from judge.exercise import Exercise
from judge.grade import Judge
from judge.sandbox.wall import launch
from tests.conftest import CASES

PROJECT = CASES.parent.parent
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """run("test", "demo", "a.py") in an empty folder: the exit status, what was printed, and the errors."""

    @contextmanager
    def warm(language: str) -> Iterator[Judge]:
        yield judge

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FIVE_LINES_EXERCISES", str(CASES))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setattr("judge.command.learner.judge_for_this_machine", warm)

    def run(*words: str) -> tuple[int, str, str]:
        try:
            status = main(words)
        except SystemExit as exit:  # argparse
            status = int(exit.code or 0)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def wrong(demo: Exercise, tmp_path: Path) -> Path:
    path = tmp_path / "wrong.py"
    path.write_bytes((demo.root / "wrong" / "adds.py").read_bytes())
    return path


@pytest.fixture
def right(demo: Exercise, tmp_path: Path) -> Path:
    path = tmp_path / "right.py"
    path.write_text(demo.solution)
    return path


# --- list, start, hint, solution ------------------------------------------------------------------------------------


def test_list_is_the_default(run: Run) -> None:
    status, out, _ = run()
    assert status == 0
    assert out == run("list")[1]
    assert [line.split()[:3] for line in out.splitlines()] == [
        ["1", "demo", "easy"],
        ["2", "target", "easy"],
        ["3", "workers", "easy"],
    ]
    assert "三个小函数" in run("list", "--lang", "zh")[1]


def test_the_language_is_the_systems(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "三个小函数" in run("list")[1]
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert run("hint", "demo")[1].startswith("힌트 1 / 3\n")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert run("hint", "demo")[1].startswith("Hint 2 of 3\n")
    assert "Three small functions" in run("list", "--lang", "en")[1]


def test_a_broken_exercise_is_left_out_and_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "exercises" / "broken").mkdir(parents=True)
    monkeypatch.setenv("FIVE_LINES_EXERCISES", f"{tmp_path / 'exercises'}{os.pathsep}{CASES}")
    status, out, err = run("list")
    assert status == 0
    assert "demo" in out
    assert err == "judge: left out broken/exercise.toml: the file is missing\n"


def test_start_writes_the_starter_once(run: Run, demo: Exercise) -> None:
    status, out, _ = run("start", "demo")
    assert status == 0
    assert out.startswith("# Three small functions\n")
    assert out.endswith("Write your answer in work/demo.py, then: python judge.py test demo\n")
    path = Path("work/demo.py")
    assert path.read_text() == demo.starter
    path.write_text("mine")
    status, out, err = run("start", "demo")
    assert (status, out, err) == (2, "", "judge: work/demo.py exists already and stays as it is.\n")
    assert path.read_text() == "mine"


def test_start_follows_no_link_and_says_what_is_in_the_way(run: Run, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "demo.py").symlink_to(tmp_path / "elsewhere.py")
    assert run("start", "demo")[0] == 2
    assert not (tmp_path / "elsewhere.py").exists()
    (tmp_path / "work" / "demo.py").unlink()
    (tmp_path / "work").rmdir()
    (tmp_path / "work").write_text("a file")
    status, _, err = run("start", "demo")
    assert status == 2
    assert err.startswith("judge: work")


def test_start_in_chinese(run: Run) -> None:
    status, out, _ = run("start", "demo", "--lang", "zh")
    assert status == 0
    assert out.startswith("# 三个小函数\n")
    assert "把答案写在 work/demo.py 里" in out


def test_in_korean_the_judge_speaks_and_the_exercise_stays_english(run: Run, wrong: Path) -> None:
    assert "Three small functions" in run("list", "--lang", "ko")[1]
    status, out, _ = run("start", "demo", "--lang", "ko")
    assert status == 0
    assert out.startswith("# Three small functions\n")
    assert re.search("[가-힣]", out.splitlines()[-1])
    assert run("hint", "demo", "--lang", "ko")[1].startswith("힌트 1 / 3\n")
    out = run("test", "demo", str(wrong), "--lang", "ko")[1]
    assert "✗ `scale` multiplies every element" in out
    assert "`scale` adds the factor instead of multiplying by it." in out
    assert "통과" in out.splitlines()[-1]


def test_hints_come_one_by_one_and_are_counted(run: Run) -> None:
    assert run("hint", "demo")[1] == "Hint 1 of 3\n\nA tensor times a number is a tensor.\n"
    assert run("hint", "demo")[1].startswith("Hint 2 of 3\n")
    assert run("hint", "target")[1].startswith("Hint 1 of 1\n")
    assert run("hint", "demo", "1")[1].startswith("Hint 1 of 3\n")
    assert run("hint", "demo")[1].startswith("Hint 3 of 3\n")
    assert run("hint", "demo")[1].startswith("Hint 3 of 3\n")
    assert run("hint", "demo", "--lang", "zh")[1].startswith("提示 2 / 2\n")


@pytest.mark.parametrize("number", ["0", "4", "-1"])
def test_hints_that_are_not_there(run: Run, number: str) -> None:
    assert run("hint", "demo", "--", number) == (2, "", "judge: demo has hints 1 to 3\n")


@pytest.mark.parametrize("kept", ["", "[]", '{"demo": "many"}', "\xff"])
def test_a_spoilt_memory_of_hints_is_forgotten(run: Run, tmp_path: Path, kept: str) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".hints.json").write_text(kept, encoding="latin-1")
    assert run("hint", "demo")[1].startswith("Hint 1 of 3\n")


def test_solution(run: Run, demo: Exercise) -> None:
    assert run("solution", "demo") == (0, demo.solution, "")


@pytest.mark.parametrize("command", ["start", "test", "hint", "solution"])
def test_unknown_exercises_are_named_with_the_known_ones(run: Run, command: str) -> None:
    status, out, err = run(command, "dmeo")
    assert (status, out) == (2, "")
    assert err == "judge: there is no exercise 'dmeo'; there are: demo, target, workers\n"


@pytest.mark.parametrize("words", [["fly"], ["test"], ["hint", "demo", "two"], ["list", "--lang", "fr"], ["--no"]])
def test_what_is_no_command_is_usage(run: Run, words: list[str]) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert "usage: judge.py" in err


def test_help_says_the_exit_statuses(run: Run) -> None:
    status, out, _ = run("test", "--help")
    assert status == 0
    assert "0 passed, 1 not passed, 2 usage or unreadable file, 3 a fault" in " ".join(out.split())


# --- test ------------------------------------------------------------------------------------------------------------


def test_a_right_file_passes(run: Run, right: Path) -> None:
    status, out, err = run("test", "demo", str(right))
    assert (status, err) == (0, "")
    assert out.count("✓") == 5
    assert "passed: 5 of 5 checks" in out


def test_a_wrong_file_is_explained(run: Run, wrong: Path) -> None:
    status, out, _ = run("test", "demo", str(wrong), "--seed", "7")
    assert status == 1
    assert "✗ `scale` multiplies every element" in out
    assert "    `scale` must multiply by 4." in out
    assert "The mistake: adds\n    `scale` adds the factor instead of multiplying by it." in out
    assert "failed: 4 of 5 checks" in out
    assert "(seed 7)" in out


def test_it_speaks_chinese(run: Run, wrong: Path) -> None:
    out = run("test", "demo", str(wrong), "--lang", "zh")[1]
    assert "✗ `scale` 把每个元素相乘" in out
    assert "`scale` 加上了系数，而不是乘以它。" in out
    assert "未通过：5 项检查中通过 4 项" in out


def test_without_a_file_the_one_begun_is_judged(run: Run) -> None:
    status, _, err = run("test", "demo")
    assert status == 2
    assert err == "judge: work/demo.py is not there; begin with: python judge.py start demo\n"
    run("start", "demo")
    assert run("test", "demo")[0] == 1


def test_json_is_one_verdict_a_line(run: Run, right: Path, wrong: Path) -> None:
    status, out, _ = run("test", "demo", str(right), str(wrong), "--json")
    assert status == 1
    first, second = map(json.loads, out.splitlines())
    assert (first["file"], first["exercise"], first["status"]) == (str(right), "demo", "passed")
    assert first["diagnoses"] == []
    assert (second["file"], second["status"]) == (str(wrong), "failed")
    assert set(second["checks"][0]) >= {"id", "title", "status", "message", "duration_ms"}
    assert second["checks"][0]["message"].startswith("`scale` must multiply by")
    assert second["diagnoses"] == [
        {"mistake": "adds", "sentence": "`scale` adds the factor instead of multiplying by it.", "checks": ["scale"]}
    ]
    assert second["duration_ms"] > 0


def test_json_in_chinese_is_readable(run: Run, wrong: Path) -> None:
    out = run("test", "demo", str(wrong), "--json", "--lang", "zh")[1]
    assert "`scale` 加上了系数，而不是乘以它。" in out


def test_the_worst_of_several_files_is_the_exit_status(run: Run, right: Path, wrong: Path, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.py")
    status, out, err = run("test", "demo", str(right), missing, str(wrong))
    assert status == 2
    assert err == f"judge: {missing}: No such file or directory\n"
    assert out.index(str(right)) < out.index("passed: ") < out.index(str(wrong)) < out.index("failed: ")


def test_the_name_of_a_file_is_text(run: Run, tmp_path: Path, demo: Exercise) -> None:
    names = [b"a\x1b[31m.py", b"b\npassed.py", b"\xff.py"]
    for name in names:
        Path(os.fsdecode(name)).write_text(demo.solution)
    files = [os.fsdecode(name) for name in [*names, b"\x1bmissing"]]
    status, out, err = run("test", "demo", *files)
    assert status == 2
    assert "\\x1b[31m.py\n" in out
    assert "b\\npassed.py\n" in out
    assert "\\udcff.py\n" in out
    assert err == "judge: \\x1bmissing: No such file or directory\n"
    out = run("test", "demo", *files[:3], "--json")[1]
    assert [json.loads(line)["file"] for line in out.splitlines()] == ["a\\x1b[31m.py", "b\\npassed.py", "\\udcff.py"]


def test_what_cannot_be_read_is_usage(run: Run, tmp_path: Path) -> None:
    status, out, err = run("test", "demo", str(tmp_path))
    assert (status, out) == (2, "")
    assert "Is a directory" in err


def test_of_homework_no_more_is_read_than_can_be_judged(run: Run, tmp_path: Path) -> None:
    """A sparse file is small in an archive, and a pipe never ends."""
    with (tmp_path / "large.py").open("wb") as file:
        file.truncate(2**40)
    assert "larger than 64 KiB" in run("test", "demo", "large.py")[1]
    os.mkfifo(tmp_path / "pipe.py")
    status, out, err = run("test", "demo", "pipe.py")
    assert (status, out) == (2, "")
    assert "Not a file" in err


def test_a_rejected_file_says_why(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_bytes(b"def scale(:\n")
    status, out, _ = run("test", "demo", "bad.py")
    assert status == 1
    assert "Line 1 is not valid Python: invalid syntax." in out
    assert "rejected: 0 of 0 checks" in out


def test_a_fault_is_exit_status_3(run: Run, right: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(CASES / "demo", tmp_path / "exercises" / "demo")
    (tmp_path / "exercises" / "demo" / "test_hidden.py").write_text("import nothing_of_this_name\n")
    monkeypatch.setenv("FIVE_LINES_EXERCISES", str(tmp_path / "exercises"))
    status, out, _ = run("test", "demo", str(right))
    assert status == 3
    assert "our fault" in out


def test_the_sample_only(run: Run, right: Path) -> None:
    status, out, _ = run("test", "demo", str(right), "--sample")
    assert status == 0
    assert "An example: twice (1, 2, 3)" in out
    assert "1 of 1" in out


def test_prints_and_tracebacks_are_text(run: Run, tmp_path: Path, demo: Exercise) -> None:
    hostile = "def scale(x, factor):\n    print('[red]\\x1b[31m[/red]')\n    raise ValueError('[bold]\\x1b[2J')\n"
    (tmp_path / "a.py").write_text(demo.solution.replace("def scale", "def other") + hostile)
    status, out, _ = run("test", "demo", "a.py")
    assert status == 1
    assert "What your code printed:" in out
    assert "[red]\\x1b[31m[/red]" in out
    assert "Your code raised ValueError: [bold]\\x1b[2J" in out
    assert "solution.py, line" in out
    assert "\x1b" not in out


COLOURS = ("\x1b[32m", "\x1b[31m", "\x1b[1;31m", "\x1b[1;32m")


def test_colour_is_for_terminals_without_no_color(run: Run, wrong: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in run("test", "demo", str(wrong))[1]
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then takes anything for a terminal
    assert any(colour in run("test", "demo", str(wrong))[1] for colour in COLOURS)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not any(colour in run("test", "demo", str(wrong))[1] for colour in COLOURS)


# --- for real --------------------------------------------------------------------------------------------------------


def test_without_bubblewrap_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    started = []

    class Plain:
        def __init__(self, *, walled: bool = True) -> None:
            if walled:
                launch(walled=True)
            started.append(walled)

        def __enter__(self) -> Plain:
            return self

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr("judge.command.learner.Judge", Plain)
    with judge_for_this_machine("en"):
        pass
    assert started == [False]
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith("No sandbox here: bubblewrap (bwrap) is not installed.")
    assert said.endswith("Your file runs in a plain process, with your rights.")


def test_watching_judges_at_each_save(demo: Exercise, tmp_path: Path) -> None:
    """The real thing, as a learner starts it; Ctrl+C ends it with the last verdict's status."""
    file = tmp_path / "mine.py"
    file.write_text(demo.solution)
    words = [sys.executable, str(PROJECT / "judge.py"), "test", "demo", str(file), "--json", "--watch"]
    environment = os.environ | {"FIVE_LINES_EXERCISES": str(CASES)}
    with subprocess.Popen(words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(
            target=lambda out: [lines.put(line) for line in out], args=[process.stdout], daemon=True
        ).start()
        assert json.loads(lines.get(timeout=200))["status"] == "passed"
        wrong = (demo.root / "wrong" / "adds.py").read_text()
        judged = ""
        while not judged.strip():  # the first saves may come before the watching has begun
            (tmp_path / "mine.py.tmp").write_text(wrong)
            (tmp_path / "mine.py.tmp").rename(file)  # as editors do
            with suppress(queue.Empty):
                judged = lines.get(timeout=2)
        assert json.loads(judged)["diagnoses"][0]["mistake"] == "adds"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 1
