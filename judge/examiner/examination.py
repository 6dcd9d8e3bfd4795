"""One judging: pytest runs the exercise's suite with the learner's code in boxes, events come out as they happen."""

from __future__ import annotations

import contextlib
import dataclasses
import resource
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator

import pytest

from judge import source as learner_source
from judge.diagnose import Diagnosing
from judge.examiner.check import Differs, Outcome, asked_for, check_seed, run_check
from judge.examiner.subject import Boxed, Local, Remembered, Subject
from judge.examiner.suite import Check, Item, Suite
from judge.job import Job
from judge.limits import Limits
from judge.sandbox import lock
from judge.sandbox.client import BoxError, Killed, NoBox
from judge.text import excerpt
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
# Whose checks have taken so many times what one may take gets no more than this for each of the others. Time without an
# answer counts twice.
_PATIENCE = 4
_IMPATIENT_WALL_S = 1.0
# Honest files take some hundredths of a second.
_READING_CPU_S = 3.0
_READING_TIMEOUT_S = 20
_READING_MEMORY_BYTES = 512 * 2**20
_SUITE_BROKEN = Message(
    template="The judge could not finish this check. It is our fault, and nothing is wrong with your code."
)
Emit = Callable[[Started | CheckEnded | FigureDrawn | Finished], None]


class Examination:
    """A judging from its first check to its verdict. Which check is next is pytest's to say."""

    def __init__(self, job: Job, control: socket.socket, emit: Emit) -> None:
        self._began = time.perf_counter()
        self._job = job
        self._control = control
        self._emit = emit
        self._probe = (job.folder / "probe.py").read_text(encoding="utf-8")
        self._reference = Remembered(Local(job.folder / "solution.py", self._probe, job.limits))
        self._checks: dict[str, Check] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._results: list[CheckResult] = []
        self._figures: list[Figure] = []
        self._prints: list[str] = []
        self._references: dict[str, Outcome] = {}
        self._spent_s = 0.0
        self._next_learner = self._prepared_learner()
        self.trouble = ""  # what is wrong with the suite itself, for instructors

    def collect(self, session: pytest.Session) -> None:
        """Make the checks of the suite the session's items."""
        path = self._job.folder / ("test_sample.py" if self._job.sample else "test_hidden.py")
        for item in session.genitems(Suite.from_parent(session, path=path, run=self._run_check)):
            assert isinstance(item, Item)
            self._checks[item.check.id] = item.check
            session.items.append(item)
        self._emit(Started(checks=[CheckTitle(id=check.id, title=check.title) for check in self._checks.values()]))

    def _run_check(self, check: Check) -> None:
        try:
            self._examine(check)
        except Exception:  # the verdict will miss this check
            self.trouble = traceback.format_exc()

    def _examine(self, check: Check) -> None:
        began = time.perf_counter()
        learner = self._next_learner
        if len(self._results) + 1 < len(self._checks):
            self._next_learner = self._prepared_learner()
        if "reference" in asked_for(check.function):  # it will be asked what the learner is asked
            learner.meanwhile = self._reference.foresee
        try:
            outcome = self._run(check, learner, learner.limits)
        except Killed:  # not by the learner: once more, from the beginning
            learner.close()
            learner = self._prepared_learner()
            outcome = self._run(check, learner, learner.limits)
        finally:
            learner.close()
        duration_ms = (time.perf_counter() - began) * 1000
        if self._is_ours(check, outcome):
            outcome.status, outcome.message = Status.FAULT, _SUITE_BROKEN
        self._spent_s += duration_ms / 1000 * (2 if outcome.status == Status.TIMEOUT else 1)
        if outcome.status == Status.PASSED:
            outcome.calls.clear()  # only failures are diagnosed, and answers may be large
        self._outcomes[check.id] = outcome
        self._report(check, outcome, duration_ms)
        if learner.prints:
            self._prints.append(f"[{check.id}]\n{learner.prints}")

    def finish(self, printed: str) -> None:
        """Say the verdict, when pytest is done. What pytest `printed` is for the log of a suite that is broken."""
        verdict = self._verdict()
        self._next_learner.close()
        self._reference.close()
        if verdict.status == Status.FAULT:
            print(self.trouble or printed, file=sys.stderr)  # the log is where instructors look for the cause
        self._emit(Finished(verdict=verdict))

    def _prepared_learner(self) -> Boxed:
        """The learner of the next check; its box loads the solution while the check before it runs."""
        learner = Boxed(self._control, self._limits(), self._job.source, self._probe)
        with contextlib.suppress(BoxError, NoBox):  # that there is no box will show in the check
            learner.prepare()
        return learner

    def _verdict(self) -> Verdict:
        """All that has been found."""
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
            prints=excerpt("\n".join(self._prints), PRINTS_LIMIT),
            seed=job.seed,
            device=job.device,
            sample=job.sample,
            duration_ms=(time.perf_counter() - self._began) * 1000,
        )

    def _limits(self) -> Limits:
        limits = self._job.limits
        if self._spent_s < _PATIENCE * limits.wall_s:
            return limits
        return dataclasses.replace(limits, wall_s=min(limits.wall_s, _IMPATIENT_WALL_S))

    def _run(self, check: Check, subject: Subject, limits: Limits, expected: list[object] | None = None) -> Outcome:
        return run_check(
            check.function,
            subject,
            self._reference,
            seed=check_seed(self._job.seed, check.id),
            device=self._job.device,
            limits=limits,
            expected=expected,
        )

    def _report(self, check: Check, outcome: Outcome, duration_ms: float) -> None:
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

    def _is_ours(self, check: Check, outcome: Outcome) -> bool:
        """Whether the suite or the probe fails by itself, and so with a right answer too.

        Asked where a suite crashed or an error went through no line of the learner's. It may still be the learner's:
        an answer of impossible form crashes suites and probes.
        """
        if outcome.crash is None and (outcome.status != Status.ERROR or outcome.traceback):
            return False
        right = self._with_reference(check)
        if right.crash is None and right.status != Status.ERROR:
            return False
        self.trouble = f"{check.id}: {right.crash or right.message!r}"
        return True

    def _with_reference(self, check: Check) -> Outcome:
        if check.id not in self._references:
            self._references[check.id] = self._run(check, self._reference, self._job.limits)
        return self._references[check.id]

    def _diagnosing(self) -> Diagnosing:
        def replay(mistake: str, check_id: str, learner: Outcome | None) -> Iterator[Outcome]:
            check = self._checks[check_id]
            for program in self._job.programs(mistake, check_id) if learner else self._job.mistakes[mistake][1]:
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
                        yield outcome
                elif outcome.same_evidence(learner) and not outcome.same_evidence(self._with_reference(check)):
                    yield outcome

        mistakes, failed = self._job.mistakes, self._job.failed
        return Diagnosing(
            self._outcomes,
            {name: sentence for name, (sentence, _) in mistakes.items()},
            replay,
            fails={name: [failed.get(path.name) for path in programs] for name, (_, programs) in mistakes.items()},
            budget_s=2 * self._job.limits.wall_s,
        )


def read(job: Job) -> None:
    """Raises `judge.source.Rejected` when the learner's file cannot be judged; a file may kill who reads it."""
    # Signals that kill: nothing else would interrupt the parser.
    signal.setitimer(signal.ITIMER_PROF, _READING_CPU_S)
    signal.alarm(_READING_TIMEOUT_S)
    try:
        with _little_memory():
            learner_source.check(job.source, job.functions)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


@contextlib.contextmanager
def _little_memory() -> Iterator[None]:
    if sys.platform != "linux":
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = lock.mapped().all + _READING_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (wanted if soft == resource.RLIM_INFINITY else min(soft, wanted), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
