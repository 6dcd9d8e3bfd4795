"""One judging: pytest runs the exercise's suite with the learner's code in boxes, events come out as they happen."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge import source as learner_source
from judge.diagnose import Diagnosing
from judge.examiner import fixtures
from judge.examiner.check import CheckFunction, Differs, Outcome, check_seed, run_check
from judge.examiner.subject import Boxed, Local, Remembered, Subject
from judge.job import Job
from judge.limits import Limits
from judge.text import shortened, visible
from judge.verdict import (
    CheckEnded,
    CheckResult,
    CheckTitle,
    Figure,
    FigureDrawn,
    Finished,
    Message,
    Started,
    Status,
    Verdict,
    overall,
)

PRINTS_LIMIT = 8_000
# Who has hung in this many checks waits no longer than so for each of the others.
_HUNG_CHECKS = 2
_IMPATIENT_WALL_S = 1.0
_READING_TIMEOUT_S = 20
_SUITE_BROKEN = Message(
    template="The judge could not finish this check. It is our fault, and nothing is wrong with your code."
)
# What a suite does not need: it takes most of pytest's time (unraisableexception collects garbage for 0.7 s).
_PLUGINS_OFF = (
    "cacheprovider",
    "unraisableexception",
    "threadexception",
    "faulthandler",
    "junitxml",
    "doctest",
    "logging",
)


Emit = Callable[[Started | CheckEnded | FigureDrawn | Finished], None]


@dataclass
class _Check:
    id: str
    title: str
    function: CheckFunction


class Examination:
    """A pytest plugin that runs each test function of a suite as a check."""

    def __init__(self, job: Job, control: socket.socket, emit: Emit) -> None:
        self._job = job
        self._control = control
        self._emit = emit
        self._probe = (job.folder / "probe.py").read_text(encoding="utf-8")
        self._reference = Remembered(Local(job.folder / "solution.py", self._probe, job.limits))
        self._checks: dict[str, _Check] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._results: list[CheckResult] = []
        self._figures: list[Figure] = []
        self._prints: list[str] = []
        self._references: dict[str, Outcome] = {}
        self._hung = 0
        self.trouble = ""  # what is wrong with the suite itself, for instructors

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            assert isinstance(item, pytest.Function)
            title = (item.function.__doc__ or item.name).strip().splitlines()[0]
            check = _Check(item.name.removeprefix("test_"), title, item.function)
            self._checks[item.name] = check
        self._emit(Started(checks=[CheckTitle(id=check.id, title=check.title) for check in self._checks.values()]))

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        check = self._checks[pyfuncitem.name]
        began = time.perf_counter()
        limits = self._limits()
        learner = Boxed(self._control, limits, self._job.source, self._probe)
        try:
            outcome = self._run(check, learner, limits)
        except Exception:
            self.trouble = traceback.format_exc()
            raise
        finally:
            learner.close()
        duration_ms = (time.perf_counter() - began) * 1000
        if outcome.crash is not None and self._suite_crashes(check, outcome.crash):
            outcome.status, outcome.message = Status.FAULT, _SUITE_BROKEN
        if outcome.status == Status.TIMEOUT or duration_ms >= limits.wall_s * 1000:
            self._hung += 1
        if outcome.status == Status.PASSED:
            outcome.calls.clear()  # only failures are diagnosed, and answers may be large
        self._outcomes[check.id] = outcome
        self._report(check, outcome, duration_ms)
        if learner.prints:
            self._prints.append(f"[{check.id}]\n{learner.prints}")
        return True  # pytest need not call the function again

    def verdict(self, began: float) -> Verdict:
        """All that has been found, when pytest is done."""
        job = self._job
        missing = not self._results or len(self._results) < len(self._checks)
        status = Status.FAULT if missing else overall(self._results)
        return Verdict(
            exercise=job.exercise,
            exercise_hash=job.exercise_hash,
            status=status,
            message=_SUITE_BROKEN if status == Status.FAULT else None,
            checks=self._results,
            diagnoses=self._diagnosing().diagnoses() if status not in (Status.FAULT, Status.PASSED) else [],
            figures=self._figures,
            prints=visible(shortened("\n".join(self._prints), PRINTS_LIMIT)),
            seed=job.seed,
            device=job.device,
            sample=job.sample,
            duration_ms=(time.perf_counter() - began) * 1000,
        )

    def close(self) -> None:
        self._reference.close()

    def _limits(self) -> Limits:
        limits = self._job.limits
        if self._hung < _HUNG_CHECKS:
            return limits
        return dataclasses.replace(limits, wall_s=min(limits.wall_s, _IMPATIENT_WALL_S))

    def _run(self, check: _Check, subject: Subject, limits: Limits, expected: list[object] | None = None) -> Outcome:
        return run_check(
            check.function,
            subject,
            self._reference,
            seed=check_seed(self._job.seed, check.id),
            device=self._job.device,
            limits=limits,
            expected=expected,
        )

    def _report(self, check: _Check, outcome: Outcome, duration_ms: float) -> None:
        for kind, data in outcome.figures:
            figure = Figure(check=check.id, kind=kind, data=data)
            self._figures.append(figure)
            self._emit(FigureDrawn(figure=figure))
        result = CheckResult(
            id=check.id,
            title=check.title,
            status=outcome.status,
            message=outcome.message,
            traceback=outcome.traceback,
            duration_ms=duration_ms,
        )
        self._results.append(result)
        self._emit(CheckEnded(check=result))

    def _suite_crashes(self, check: _Check, crash: BaseException) -> bool:
        """Whether the suite crashes with a right answer too. If not, the learner's answer had an impossible form."""
        crash_with_reference = self._with_reference(check).crash
        if crash_with_reference is None:
            return False
        self.trouble = f"{check.id}: {type(crash).__name__}: {crash}"
        return True

    def _with_reference(self, check: _Check) -> Outcome:
        if check.id not in self._references:
            self._references[check.id] = self._run(check, self._reference, self._job.limits)
        return self._references[check.id]

    def _diagnosing(self) -> Diagnosing:
        checks = {check.id: check for check in self._checks.values()}

        def replay(mistake: str, check_id: str, learner: Outcome | None) -> Outcome | None:
            check = checks[check_id]
            _, programs = self._job.mistakes[mistake]
            for program in programs:
                subject = Local(program, self._probe, self._job.limits)
                expected = learner.calls if learner and not learner.facts else None
                try:
                    outcome = self._run(check, subject, self._job.limits, expected)
                except Differs:
                    continue
                finally:
                    subject.close()
                if learner is None:
                    if outcome.status == Status.PASSED:
                        return outcome
                elif outcome.same_evidence(learner) and not outcome.same_evidence(self._with_reference(check)):
                    return outcome
            return None

        sentences = {name: sentence for name, (sentence, _) in self._job.mistakes.items()}
        return Diagnosing(self._outcomes, sentences, replay, budget_s=2 * self._job.limits.wall_s)


def examine(job: Job, control: socket.socket, emit: Emit, after_reading: Callable[[], None]) -> None:
    """Judge `job`; the last thing emitted is Finished. Until `after_reading` is called, the file may kill us."""
    began = time.perf_counter()
    try:
        signal.alarm(_READING_TIMEOUT_S)  # kills: nothing else would interrupt the parser
        learner_source.check(job.source, job.functions)
    except learner_source.Rejected as rejected:
        emit(Finished(verdict=job.rejected(rejected)))
        return
    finally:
        signal.alarm(0)
    after_reading()
    examination = Examination(job, control, emit)
    printed = _run_pytest(job.folder / ("test_sample.py" if job.sample else "test_hidden.py"), examination)
    verdict = examination.verdict(began)
    examination.close()
    if verdict.status == Status.FAULT:
        print(examination.trouble or printed, file=sys.stderr)  # the log is where instructors look for the cause
    emit(Finished(verdict=verdict))


def _run_pytest(suite: Path, plugin: Examination) -> str:
    """Returns what pytest printed, which only instructors may see."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = True
    arguments = [str(suite), f"--rootdir={suite.parent}", "-c", os.devnull]
    arguments += [
        "--import-mode=importlib",
        "--assert=plain",
        "--capture=no",
        "-q",
        "--no-header",
        "--no-summary",
    ]
    arguments += [f"-pno:{name}" for name in _PLUGINS_OFF]
    with contextlib.redirect_stdout(io.StringIO()) as output:
        pytest.main(arguments, plugins=[plugin, fixtures])
    return output.getvalue()
