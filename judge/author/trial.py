"""Judges all programs of an exercise under one seed, in this process. Theory of operation.

Verifying asks for thousands of judgings, and most of the work in them is done again and again: the reference's
answers for a seed are the same whoever is judged, and to diagnose each of forty wrong programs the other thirty-nine
run. Here every program runs each check once, and the diagnosis looks up what it would have run again. The functions
are those of the examination (`run_check`, `Diagnosing`), only nothing is walled: the programs are the exercise's own.

What no lookup may hide: a program is never compared with its own run but with a second one, and the global random state
differs from run to run, as it does from box to box. `verify` holds each verdict against one from behind the wall.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy
import torch

from judge.diagnose import Diagnosing
from judge.examiner.check import Outcome, check_seed, run_check
from judge.examiner.subject import Local, Remembered
from judge.examiner.suite import read_checks
from judge.job import Job
from judge.verdict import CheckResult, Status, Verdict, overall


@dataclass(frozen=True)
class Trial:
    """A program's verdict, and for each check that the suite itself stumbled in, over what."""

    verdict: Verdict
    crashes: Mapping[str, str] = field(default_factory=dict)


def try_programs(job: Job, programs: tuple[Path, ...], suite_name: str = "test_hidden.py") -> list[Trial]:
    """The trials of `programs` with the seed of `job`, in order. For a process of its own."""
    torch.set_num_threads(1)
    sys.dont_write_bytecode = True
    with quiet():
        return _Trials(job, suite_name).of(programs)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What our programs print or warn of is nobody's concern."""
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


class _Trials:
    def __init__(self, job: Job, suite_name: str) -> None:
        self._job = job
        self._checks = read_checks(job.folder / suite_name)
        self._probe = (job.folder / "probe.py").read_text(encoding="utf-8")
        self._reference = Remembered(Local(job.folder / "solution.py", self._probe, job.limits))
        self._outcomes: dict[tuple[Path, str], Outcome] = {}
        self._runs = 0

    def of(self, programs: tuple[Path, ...]) -> list[Trial]:
        return [self._trial(program) for program in programs]

    def _trial(self, program: Path) -> Trial:
        results, crashes, outcomes = [], {}, {}
        began = time.perf_counter()
        for id, check in self._checks.items():
            check_began = time.perf_counter()
            outcomes[id] = outcome = self._outcome(program, id)
            status = outcome.status
            if outcome.crash is not None:
                crashes[id] = f"{type(outcome.crash).__name__}: {outcome.crash}"
                if self._outcome(self._job.folder / "solution.py", id).crash is not None:
                    status = Status.FAULT  # the suite stumbles over a right answer too
            results.append(
                CheckResult(
                    id=id,
                    title=check.title,
                    status=status,
                    message=outcome.message,
                    traceback=outcome.traceback,
                    duration_ms=(time.perf_counter() - check_began) * 1000,
                )
            )
        status = overall(results)
        failed = status not in (Status.PASSED, Status.FAULT) and not self._job.sample
        verdict = Verdict(
            exercise=self._job.exercise,
            exercise_hash=self._job.exercise_hash,
            status=status,
            checks=results,
            diagnoses=self._diagnosing(program, outcomes).diagnoses() if failed else [],
            seed=self._job.seed,
            device=self._job.device,
            sample=self._job.sample,
            duration_ms=(time.perf_counter() - began) * 1000,
        )
        return Trial(verdict, crashes)

    def _outcome(self, program: Path, check: str) -> Outcome:
        if (program, check) not in self._outcomes:
            self._outcomes[program, check] = self._run(program, check)
        return self._outcomes[program, check]

    def _run(self, program: Path, check: str) -> Outcome:
        self._runs += 1
        random.seed(self._runs)
        numpy.random.seed(self._runs)
        torch.manual_seed(self._runs)
        subject = Local(program, self._probe, self._job.limits)
        try:
            return run_check(
                self._checks[check].function,
                subject,
                self._reference,
                seed=check_seed(self._job.seed, check),
                device=self._job.device,
                limits=self._job.limits,
            )
        except (
            Exception
        ) as error:  # out of the examiner, not out of the suite: a call that the probe does not know, say
            return Outcome(status=Status.FAULT, crash=error)
        finally:
            subject.close()

    def _diagnosing(self, judged: Path, outcomes: Mapping[str, Outcome]) -> Diagnosing:
        def replay(mistake: str, check: str, learner: Outcome | None) -> Iterator[Outcome]:
            for program in self._job.mistakes[mistake][1]:
                again = program == judged and learner is not None
                outcome = self._run(program, check) if again else self._outcome(program, check)
                if learner is None:
                    if outcome.status == Status.PASSED:
                        yield outcome
                elif outcome.same_evidence(learner) and not outcome.same_evidence(self._right(check)):
                    yield outcome

        sentences = {name: sentence for name, (sentence, _) in self._job.mistakes.items()}
        fails = {name: [self._fails(program) for program in paths] for name, (_, paths) in self._job.mistakes.items()}
        return Diagnosing(outcomes, sentences, replay, fails, budget_s=math.inf)

    def _fails(self, program: Path) -> frozenset[str]:
        return frozenset(check for check in self._checks if self._outcome(program, check).status != Status.PASSED)

    def _right(self, check: str) -> Outcome:
        return self._outcome(self._job.folder / "solution.py", check)
