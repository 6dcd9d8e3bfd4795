"""From a source to a verdict, through the real judge: every way it can end, and that each has its own sentence."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from judge import grade
from judge.exercise import Exercise, load_exercises
from judge.grade import Judge, _Examiner
from judge.sandbox import wall
from judge.sandbox.parent import SPARE_BOXES
from judge.verdict import CheckEnded, FigureDrawn, Finished, Started, Verdict
from tests import processes
from tests.conftest import MakeExercise

RIGHT = "def answer(x):\n    return float(x.sum())\n"
SUITE = '''
from judge.kit import expect, expect_close
import torch


def test_answer(learner, reference, rng):
    """One"""
    x = torch.tensor([rng.uniform(1, 2)])
    expect_close(learner.answer(x=x), reference.answer(x=x), "no")
'''


def said(verdict: Verdict) -> str:
    """The sentence of the gravest check, or of the whole verdict."""
    for check in verdict.checks:
        if check.status == verdict.status:
            return str(check.message)
    return str(verdict.message)


# --- the course of a judging ---------------------------------------------------------------------------------------


def test_events_come_in_order(judge: Judge, demo: Exercise) -> None:
    source = (demo.root / "wrong" / "adds.py").read_text()
    started, *middle, finished = judge.grade(demo, source)
    assert isinstance(started, Started)
    ids = [check.id for check in started.checks]
    assert ids == ["scale", "keeps_input", "mean", "mean_of_nothing", "total"]
    assert started.checks[0].title == "`scale` multiplies every element"
    assert isinstance(finished, Finished)
    assert [event.check for event in middle if isinstance(event, CheckEnded)] == finished.verdict.checks
    assert [event.figure for event in middle if isinstance(event, FigureDrawn)] == finished.verdict.figures
    assert [check.id for check in finished.verdict.checks] == ids
    assert all(check.duration_ms > 0 for check in finished.verdict.checks)
    assert finished.verdict.duration_ms > 0
    assert (finished.verdict.exercise, finished.verdict.exercise_hash) == (demo.id, demo.hash)


def test_right_answers_pass_however_written(judge: Judge, demo: Exercise) -> None:
    verdict = judge.verdict(demo, demo.solution)
    assert (verdict.status, verdict.message, verdict.diagnoses) == ("passed", None, [])
    assert all(check.message is None for check in verdict.checks)
    verdict = judge.verdict(demo, demo.correct[0].read_bytes())
    assert verdict.status == "passed"
    assert "[scale]\nscaling\n" in verdict.prints


def test_the_starter_fails(judge: Judge, demo: Exercise) -> None:
    verdict = judge.verdict(demo, demo.starter)
    assert verdict.status == "failed"
    assert verdict.diagnoses == []


def test_a_seed_replays_a_judging(judge: Judge, demo: Exercise) -> None:
    source = (demo.root / "wrong" / "adds.py").read_text()
    first = judge.verdict(demo, source)
    again, other = judge.verdict(demo, source, seed=first.seed), judge.verdict(demo, source)
    assert again.seed == first.seed != other.seed
    assert [check.message for check in again.checks] == [check.message for check in first.checks]
    assert again.figures == first.figures != other.figures


def test_the_sample_is_another_suite(judge: Judge, demo: Exercise) -> None:
    *_, last = judge.grade(demo, demo.starter.replace("total", "also"), sample=True)
    assert isinstance(last, Finished)
    assert last.verdict.status == "rejected"
    *_, last = judge.grade(demo, demo.solution, sample=True)
    assert isinstance(last, Finished)
    assert last.verdict.sample
    assert [check.id for check in last.verdict.checks] == ["example"]
    assert last.verdict.status == "passed"


def test_text_and_bytes_are_one(judge: Judge, demo: Exercise) -> None:
    source = "\ufeff# Größe\r\n" + demo.solution.replace("\n", "\r\n")
    assert judge.verdict(demo, source).status == judge.verdict(demo, source.encode()).status == "passed"
    assert judge.verdict(demo, demo.solution + "# \ud800").status == "passed"


def test_a_learners_error_shows_the_learners_lines_only(judge: Judge, target: Exercise) -> None:
    source = "import torch\n\n\ndef inner(x):\n    return torch.cat([x, 1])\n\n\ndef answer(x):\n    return inner(x)\n"
    verdict = judge.verdict(target, source)
    assert verdict.status == "error"
    assert said(verdict).startswith("Your code raised TypeError: expected Tensor as element 1 in argument 0")
    assert verdict.checks[0].traceback == (
        "solution.py, line 9, in answer\n    return inner(x)\n"
        "solution.py, line 5, in inner\n    return torch.cat([x, 1])"
    )


def test_prints_are_kept_head_and_tail(judge: Judge, make_exercise: MakeExercise) -> None:
    exercise = make_exercise(SUITE, limits="output_kib = 64")
    loud = "print('begin' + 'x' * 30_000 + 'end', flush=True)\n" + RIGHT
    verdict = judge.verdict(exercise, loud)
    assert verdict.status == "passed"
    assert verdict.prints.startswith("[answer]\nbegin")
    assert verdict.prints.endswith("end\n")
    assert "characters ..." in verdict.prints
    assert len(verdict.prints) < 9_000


def test_standard_error_and_unflushed_prints_are_kept(judge: Judge, target: Exercise) -> None:
    prints = judge.verdict(
        target, "import sys\n\ndef answer(x):\n    print('out', end='')\n    print('err', file=sys.stderr)\n"
    ).prints
    assert "out" in prints
    assert "err" in prints


# --- rejected ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "line", "sentence"),
    [
        (b"#" * 70_000, None, "The file is larger than 64 KiB, and no larger one can be judged."),
        (b"def answer(x): ...\n# \xff\n", 2, "Line 2 is not UTF-8 text. Save the file as UTF-8."),
        (b"def answer(x): ...\n\x00", 2, "The file holds a null byte, which Python does not allow."),
        (b"def answer(x):\nreturn 1\n", 2, "Line 2 is not valid Python: expected an indented block"),
        (b"", None, "The file does not define `answer`."),
        (b"def other(x): ...\n", None, "The file does not define `answer`."),
        (b"answer = 1\nreturn\n", 2, "Line 2 is not valid Python: 'return' outside function."),
    ],
)
def test_what_cannot_be_judged_is_rejected(
    judge: Judge, target: Exercise, source: bytes, line: int | None, sentence: str
) -> None:
    (event,) = judge.grade(target, source)
    assert isinstance(event, Finished)
    verdict = event.verdict
    assert (verdict.status, verdict.line, verdict.checks) == ("rejected", line, [])
    assert str(verdict.message).startswith(sentence)


ROOM = 64 * 1024 - 40
PATHOLOGICAL = {
    "parentheses": "(" * (ROOM // 2) + ")" * (ROOM // 2),
    "brackets never closed": "[" * ROOM,
    "unary minus": "-" * ROOM + "1",
    "not": "not " * (ROOM // 4) + "1",
    "attributes": "a" + ".b" * (ROOM // 2),
    "calls": "a" + "()" * (ROOM // 2),
    "subscripts": "a" + "[0]" * (ROOM // 3),
    "sums": "1" + "+1" * (ROOM // 2),
    "powers": "1" + "**1" * (ROOM // 3),
    "comparisons": "1" + "<1" * (ROOM // 2),
    "lambdas": "lambda:" * (ROOM // 7) + "1",
    "conditions": "1 if 1 else " * (ROOM // 12) + "1",
    "f-strings": "f'" + "{a}" * (ROOM // 3) + "'",
    "elif": "if a:\n pass\n" + "elif a:\n pass\n" * (ROOM // 14),
    "digits": "9" * ROOM,
    "one long name": "a" * ROOM,
    "decorators": "@a\n" * (ROOM // 3) + "def b(): ...",
}


@pytest.mark.parametrize("source", PATHOLOGICAL.values(), ids=PATHOLOGICAL)
def test_pathological_sources_are_rejected_or_fail(judge: Judge, target: Exercise, source: str) -> None:
    """The reader of some dies of them; then the next judging must not notice."""
    verdict = judge.verdict(target, f"def answer(x): ...\n{source}\n")
    assert verdict.status in ("rejected", "failed", "error", "timeout")
    assert len(said(verdict)) > 10
    assert len(said(verdict)) < 1000


def test_right_answers_pass_after_them(judge: Judge, target: Exercise) -> None:
    assert judge.verdict(target, target.solution).status == "passed"


# --- limits --------------------------------------------------------------------------------------------------------

SLEEP = "import time\n\ndef answer(x):\n    time.sleep(60)\n"
SPIN = "def answer(x):\n    while True: pass\n"
LIMITS = {
    "wall": ("wall_s = 0.5", SLEEP, "timeout", "Stopped after 0.5 s without an answer."),
    "cpu": ("wall_s = 60\ncpu_s = 0.4", SPIN, "timeout", "Stopped after 0.4 s of processor time."),
    "memory by Python": (
        "memory_mib = 64",
        "def answer(x):\n    return len(bytearray(2**30))\n",
        "memory",
        "Your code used more than 64 MiB of memory.",
    ),
    "memory by torch": (
        "memory_mib = 64",
        "import torch\n\ndef answer(x):\n    return float(torch.ones(2**28).sum())\n",
        "memory",
        "Your code used more than 64 MiB of memory.",
    ),
    "output": (
        "output_kib = 3",
        "def answer(x):\n    print('x' * 4000, flush=True)\n",
        "error",
        "Your code printed more than 3 KiB and was stopped.",
    ),
    "file": (
        "file_kib = 5",
        "def answer(x):\n    with open('a', 'wb') as file:\n        file.write(b'x' * 6000)\n",
        "error",
        "Your code wrote a file of more than 5 KiB.",
    ),
    "process": ("wall_s = 5", "import os\n\ndef answer(x):\n    os.fork()\n", "error", "asked the system"),
    "thread": (
        "wall_s = 5",
        "import threading\n\ndef answer(x):\n    threading.Thread(target=print).start()\n",
        "error",
        "asked the system for something",
    ),
    "network": ("wall_s = 5", "import socket\n\ndef answer(x):\n    socket.socket()\n", "error", "asked the system"),
    "files elsewhere": ("wall_s = 5", "def answer(x):\n    open('/usr/a', 'w')\n", "error", "asked the system"),
}


@pytest.mark.parametrize(("limits", "source", "status", "sentence"), LIMITS.values(), ids=LIMITS)
def test_each_limit_has_a_status_and_a_sentence(
    judge: Judge, make_exercise: MakeExercise, limits: str, source: str, status: str, sentence: str
) -> None:
    verdict = judge.verdict(make_exercise(SUITE, limits=limits), source)
    assert verdict.status == status
    assert sentence in said(verdict)
    assert verdict.diagnoses == []


def test_what_stays_below_the_limits_is_left_alone(judge: Judge, make_exercise: MakeExercise) -> None:
    exercise = make_exercise(SUITE, limits="memory_mib = 256\nfile_kib = 100\noutput_kib = 20")
    source = """
import torch

def answer(x):
    kept = torch.ones(100 * 2**18)
    with open("a", "wb") as file:
        file.write(b"x" * 100 * 1024)
    print("x" * 20_000)
    return float(x.sum())
"""
    assert judge.verdict(exercise, source).status == "passed"


def test_a_slow_learner_waits_for_two_checks_only(judge: Judge, make_exercise: MakeExercise) -> None:
    many = "".join(SUITE.replace("test_answer", f"test_{number}") for number in range(5))
    verdict = judge.verdict(make_exercise(many, limits="wall_s = 1.5"), SLEEP)
    assert [str(check.message) for check in verdict.checks] == [
        "Stopped after 1.5 s without an answer.",
        "Stopped after 1.5 s without an answer.",
        "Stopped after 1.5 s without an answer.",  # its box was made while the second check ran
        "Stopped after 1 s without an answer.",
        "Stopped after 1 s without an answer.",
    ]


def test_who_answers_just_in_time_takes_no_longer_than_who_hangs(judge: Judge, make_exercise: MakeExercise) -> None:
    many = "".join(SUITE.replace("test_answer", f"test_{number}") for number in range(8))
    slow = "import time\n\ndef answer(x):\n    time.sleep(1.3)\n    return float(x.sum())\n"
    verdict = judge.verdict(make_exercise(many, limits="wall_s = 1.5"), slow)
    assert [check.status for check in verdict.checks[:4]] == ["passed"] * 4
    assert str(verdict.checks[-1].message) == "Stopped after 1 s without an answer."


def test_a_process_that_has_ended_has_ended_however_often_it_is_asked(
    judge: Judge, make_exercise: MakeExercise
) -> None:
    twice = """
    try:
        learner.answer(x=x)
    except Exception:
        pass
    expect_close("""
    asks_again = SUITE.replace("    expect_close(", twice.removeprefix("\n"))
    verdict = judge.verdict(make_exercise(asks_again), "import os\n\ndef answer(x):\n    os._exit(7)\n")
    assert verdict.status == "error"
    assert "exit status 7" in str(verdict.checks[0].message)


def test_the_line_that_is_shown_is_the_one_that_raised(judge: Judge, target: Exercise) -> None:
    source = "# a form feed \x0c and a line separator \u2028 end no line\n\ndef answer(x):\n    raise ValueError\n"
    shown = judge.verdict(target, source).checks[0].traceback
    assert "line 4, in answer\n    raise ValueError" in shown


def test_how_a_process_ended_is_said(judge: Judge, target: Exercise) -> None:
    for source, sentence in (
        ("import os\n\ndef answer(x):\n    os._exit(7)\n", "Your code ended the process (exit status 7) instead"),
        ("import ctypes\n\ndef answer(x):\n    ctypes.string_at(0)\n", "Your code ended the process (exit status -11)"),
        ("def answer(x):\n    raise SystemExit(3)\n", "Your code raised SystemExit: 3"),
        ("def answer(x):\n    raise KeyboardInterrupt\n", "Your code raised KeyboardInterrupt"),
    ):
        verdict = judge.verdict(target, source)
        assert verdict.status == "error"
        assert sentence in said(verdict)


# --- suites and what an answer does to them --------------------------------------------------------------------------


def test_a_bug_of_the_suite_is_our_fault(judge: Judge, make_exercise: MakeExercise) -> None:
    suite = SUITE.replace("    expect_close(", "    learner.answer(x=x)\n    1 / 0\n    expect_close(")
    verdict = judge.verdict(make_exercise(suite), RIGHT)
    assert verdict.status == "fault"
    assert "our fault" in said(verdict)
    assert "ZeroDivisionError" not in verdict.model_dump_json()
    assert verdict.diagnoses == []


@pytest.mark.parametrize(
    "probe",
    ["def answer(solution, x):\n    return 1 / 0\n", "1 / 0\n", "def other(): ...\n", "def answer(:\n"],
    ids=["call", "load", "no function", "syntax"],
)
def test_a_bug_of_the_probe_is_our_fault(
    judge: Judge, make_exercise: MakeExercise, monkeypatch: pytest.MonkeyPatch, probe: str
) -> None:
    exercise = make_exercise(SUITE)
    (exercise.root / "probe.py").write_text(probe)
    verdict = judge.verdict(exercise, RIGHT)
    assert verdict.status == "fault"
    assert "our fault" in said(verdict)


def test_an_answer_that_the_probe_stumbles_over_is_the_learners(judge: Judge, make_exercise: MakeExercise) -> None:
    exercise = make_exercise(SUITE, probe="def answer(solution, x):\n    return solution.answer(x).real\n")
    assert judge.verdict(exercise, "def answer(x):\n    return None\n").status == "error"
    assert judge.verdict(exercise, RIGHT).status == "passed"


@pytest.mark.parametrize(
    "suite",
    ["import nothing_of_this_name\n", "def test_a(learner, unknown): ...\n", "x = 1\n", "1 / 0\n"],
    ids=["import", "fixture", "no test", "error"],
)
def test_a_suite_that_does_not_run_is_our_fault(judge: Judge, make_exercise: MakeExercise, suite: str) -> None:
    verdict = judge.verdict(make_exercise(suite), RIGHT)
    assert verdict.status == "fault"
    assert "our fault" in str(verdict.message)


SURPRISED = {
    "missing key": 'got["a"]["b"]',
    "not a number": "got + 'a'",
    "not iterable": "[item for item in got]",
    "wrong length": "first, second = got",
    "an assertion of the suite": "assert isinstance(got, dict)",
    "endless": "while got != 7: pass",
    "more memory than there is": "[got] * 2**40",
    "huge tensor": "torch.zeros(int(2**42 * got))",
}


@pytest.mark.parametrize("line", SURPRISED.values(), ids=SURPRISED)
def test_an_answer_of_impossible_form_is_the_learners_failure(
    judge: Judge, make_exercise: MakeExercise, line: str
) -> None:
    """The suite stumbles over this answer and not over the reference's."""
    before = f"    got = learner.answer(x=x)\n    if got == 0.5:\n        {line}\n"
    suite = SUITE.replace("    expect_close(", f"{before}    expect_close(")
    verdict = judge.verdict(make_exercise(suite, limits="wall_s = 0.5"), "def answer(x):\n    return 0.5\n")
    assert verdict.status == "failed"
    assert said(verdict) == "The answer does not have the form that was asked for."


def test_values_in_messages_are_bounded_and_visible(judge: Judge, make_exercise: MakeExercise) -> None:
    suite = SUITE.replace(
        '"no")',
        '"{got:.2f} {listed} {nan:.1f} {long}", listed=[learner], nan=float("nan"), long="\\x1b" + "x" * 5000)',
    )
    verdict = judge.verdict(make_exercise(suite), "def answer(x):\n    return None\n")
    assert verdict.status == "failed"
    assert said(verdict).startswith("None list nan \\x1bxxx")
    assert len(said(verdict)) < 1000


def test_figures_are_kept_when_the_check_fails_and_bounded(judge: Judge, make_exercise: MakeExercise) -> None:
    suite = SUITE.replace("(learner, reference, rng)", "(learner, reference, rng, figure)").replace(
        "    expect_close(",
        '    figure("small", got=learner.answer(x=x), nan=float("nan"), text="\\x1b", pair=(1, 2))\n'
        '    figure("large", got=["x" * 100] * 1000)\n    expect_close(',
    )
    verdict = judge.verdict(make_exercise(suite), "def answer(x):\n    return {1: object}\n")
    assert verdict.status == "failed"
    (figure,) = verdict.figures
    assert (figure.check, figure.kind) == ("answer", "small")
    assert figure.data == {"got": {"1": "builtins.type"}, "nan": None, "text": "\\x1b", "pair": [1, 2]}


def test_restart_is_a_new_process_that_draws_anew(judge: Judge, make_exercise: MakeExercise) -> None:
    suite = '''
from judge.kit import expect


def test_processes(learner):
    """Two"""
    first = learner.state()
    again = learner.state()
    learner.restart()
    other = learner.state()
    expect(first["calls"] == 1 and again["calls"] == 2 and other["calls"] == 1, "{a}", a=str((first, again, other)))
    for stream in ("python", "numpy", "torch"):
        expect(first[stream] != other[stream], "all boxes draw the same: {stream}", stream=stream)
'''
    probe = """
import random

import numpy
import torch


def state(solution):
    solution.calls += 1
    draws = random.random(), float(numpy.random.random()), float(torch.rand((), dtype=torch.float64))
    return {"calls": solution.calls} | dict(zip(("python", "numpy", "torch"), draws))
"""
    exercise = make_exercise(suite, probe=probe, wrong={})
    verdict = judge.verdict(exercise, "calls = 0\nanswer = None\n")
    assert verdict.status == "passed", verdict


# --- broken judges ---------------------------------------------------------------------------------------------------


def killed(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    assert processes.eventually(lambda: not processes.alive(pid) or pid not in processes.parents())


def test_a_killed_warm_parent_is_replaced(judge: Judge, target: Exercise) -> None:
    sandbox = judge._sandbox.process.pid
    killed(processes.warm_parent(sandbox))
    assert processes.eventually(lambda: not judge._sandbox.alive())
    assert judge.verdict(target, target.solution).status == "passed"
    assert judge._sandbox.process.pid != sandbox


def test_a_killed_examiner_is_replaced_and_what_it_left_removed(judge: Judge, target: Exercise) -> None:
    assert judge.verdict(target, target.solution).status == "passed"
    killed = judge._examiner._process
    links = [os.readlink(link) for link in Path(f"/proc/{killed.pid}/fd").iterdir() if link.exists()]
    (left,) = {Path(link) for link in links if "five-lines-examiner-" in link}
    assert list(left.rglob("*.pyc"))
    killed.kill()
    killed.wait()
    assert judge.verdict(target, target.solution).status == "passed"
    assert not left.exists()


def test_a_killed_examination_is_our_fault_and_the_next_one_works(judge: Judge, make_exercise: MakeExercise) -> None:
    exercise = make_exercise(SUITE)
    events = judge.grade(exercise, SLEEP)
    assert isinstance(next(events), Started)
    examiner = judge._examiner._process.pid
    (at_work,) = processes.below(examiner)  # the one that will wait for the next job is forked when this one has ended
    os.kill(at_work, signal.SIGKILL)
    *_, last = events
    assert isinstance(last, Finished)
    assert last.verdict.status == "fault"
    assert judge.verdict(exercise, RIGHT).status == "passed"


def test_who_was_killed_while_it_read_says_nothing_about_the_file(
    judge: Judge, demo: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, killed = grade._lines, 0

    def killing_the_first_reader(fd: int, deadline: float) -> Generator[bytes]:
        nonlocal killed
        found = lines(fd, deadline)
        first = next(found)
        if not killed:
            killed = json.loads(first)["reading"]
            os.kill(killed, signal.SIGKILL)
            yield first
            return
        yield first
        yield from found

    monkeypatch.setattr(grade, "_lines", killing_the_first_reader)
    assert judge.verdict(demo, demo.solution).status == "passed"
    assert killed


def test_a_killed_waiting_examination_is_made_anew(demo: Exercise) -> None:
    with Judge() as judge:
        examiner = judge._examiner._process.pid
        assert processes.eventually(lambda: len(processes.below(examiner)) == 1)
        (waiting,) = processes.below(examiner)
        os.kill(waiting, signal.SIGKILL)
        assert judge.verdict(demo, demo.solution).status == "passed"
        assert judge._examiner._process.pid == examiner


def test_closing_does_not_wait_for_what_is_judged(make_exercise: MakeExercise) -> None:
    exercise = make_exercise(SUITE, limits="wall_s = 60")
    with Judge() as judge:
        events = judge.grade(exercise, SLEEP)
        assert isinstance(next(events), Started)
        examiner = judge._examiner._process
    assert examiner.returncode == 0  # it went by itself, and had not to be killed
    events.close()


def test_what_a_killed_box_was_asked_is_asked_again(judge: Judge, make_exercise: MakeExercise) -> None:
    exercise = make_exercise(SUITE, limits="wall_s = 20")
    parent = processes.warm_parent(judge._sandbox.process.pid)
    assert processes.eventually(lambda: len(processes.below(parent)) == SPARE_BOXES)
    oldest = min(processes.below(parent))  # the next to be taken
    events = judge.grade(exercise, "import time\ntime.sleep(1)\n" + RIGHT)
    next(events)
    time.sleep(0.3)
    os.kill(oldest, signal.SIGKILL)
    *_, last = events
    assert isinstance(last, Finished)
    assert last.verdict.status == "passed"


def test_without_memory_boxes_die_first(judge: Judge) -> None:
    def score(pid: int) -> int:
        return int(Path(f"/proc/{pid}/oom_score_adj").read_text())

    parent = processes.warm_parent(judge._sandbox.process.pid)
    assert processes.eventually(lambda: {score(pid) for pid in processes.below(parent)} == {1000})
    for pid in (os.getpid(), parent, judge._examiner._process.pid):
        assert score(pid) < 1000


def test_boxes_killed_again_and_again_are_our_fault(judge: Judge, make_exercise: MakeExercise) -> None:
    exercise = make_exercise(SUITE, limits="wall_s = 20")
    parent = processes.warm_parent(judge._sandbox.process.pid)
    events = judge.grade(exercise, SLEEP)
    next(events)
    ended = threading.Event()

    def kill() -> None:
        while not ended.wait(0.05):
            for pid in processes.below(parent):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    killing = threading.Thread(target=kill)
    killing.start()
    *_, last = events
    ended.set()
    killing.join()
    assert isinstance(last, Finished)
    assert last.verdict.status == "fault"
    assert judge.verdict(exercise, RIGHT).status == "passed"


def test_who_stops_listening_stops_the_judging(judge: Judge, target: Exercise) -> None:
    events = judge.grade(target, SPIN)
    next(events)
    events.close()  # type: ignore[attr-defined]
    parent = processes.warm_parent(judge._sandbox.process.pid)
    assert processes.eventually(lambda: len(processes.below(parent)) <= SPARE_BOXES)
    assert judge.verdict(target, target.solution).status == "passed"


def test_without_a_wall_it_judges_too(target: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Judge(walled=False) as judge:
        assert judge.verdict(target, target.solution).status == "passed"
        assert judge.verdict(target, RIGHT.replace("sum", "mean")).diagnoses[0].mistake == "mean"
        assert judge.verdict(target, SLEEP).status == "timeout"
    # Torch keeps a folder for compiled code, one a user.
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith("torchinductor")] == []


def test_without_a_wall_files_are_written_nowhere_but_in_a_folder_of_the_box(
    target: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where the learner is, and not where another box sees them; but those of one submission as with a wall."""
    monkeypatch.chdir(tmp_path)
    resume = load_exercises().exercises["resume"]
    writes = """
import os

def answer(x):
    mine = str(os.getpid())
    assert set(os.listdir()) <= {mine}
    open(mine, "w").close()
    return float(x.sum())
"""
    with Judge(walled=False) as judge:
        assert judge.verdict(resume, resume.solution).status == "passed"
        assert judge.verdict(target, writes).status == "passed"
    assert list(tmp_path.iterdir()) == []


def test_a_sandbox_killed_while_it_starts_is_started_again(
    monkeypatch: pytest.MonkeyPatch, make_exercise: MakeExercise
) -> None:
    launched: list[wall.Sandbox] = []
    launch = wall.launch

    def killing_the_first(*, walled: bool) -> wall.Sandbox:
        launched.append(launch(walled=walled))
        if len(launched) == 1:
            launched[0].process.kill()
        return launched[-1]

    monkeypatch.setattr(wall, "launch", killing_the_first)
    with Judge() as judge:
        assert judge.verdict(make_exercise(SUITE), RIGHT).status == "passed"
    assert len(launched) == 2


def test_an_examiner_killed_while_it_starts_is_started_again(
    monkeypatch: pytest.MonkeyPatch, make_exercise: MakeExercise
) -> None:
    started: list[_Examiner] = []

    def killing_the_first(control: socket.socket) -> _Examiner:
        started.append(_Examiner(control))
        if len(started) == 1:
            started[0]._process.kill()
        return started[-1]

    monkeypatch.setattr("judge.grade._Examiner", killing_the_first)
    with Judge() as judge:
        assert judge.verdict(make_exercise(SUITE), RIGHT).status == "passed"
    assert len(started) == 2


APART = """
from judge.kit import expect


def test_visits(learner, reference):
    "Each process finds the file of the one before"
    learner.keep_files()
    found = [learner.to_the_end.visit(), learner.to_the_end.visit()]
    reference.keep_files()
    expect(found == [reference.to_the_end.visit(), reference.to_the_end.visit()] == [1, 2], "Not so.")
"""
VISITS = """
import time


def visit(solution):
    with open("visits", "a+") as file:
        file.write("x")
        file.seek(0)
        time.sleep(0.05)
        return len(file.read())
"""


def test_where_files_are_kept_the_reference_waits_for_its_own_folder(judge: Judge, make_exercise: MakeExercise) -> None:
    assert judge.verdict(make_exercise(APART, probe=VISITS), RIGHT).status == "passed"
    assert not Path("visits").exists()
