"""Measures a hidden suite: how many slightly changed references does it let through?"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from judge.author.equivalent import FILE, read_equivalents, unmatched
from judge.author.finding import Finding
from judge.author.judging import Judging, Progress, Sitting
from judge.author.mutants import Mutant, mutants
from judge.exercise import Exercise
from judge.verdict import Status

REQUIRED = 0.95
# A mutant may loop for ever. What the reference needs, this many times, is enough for any other.
_ROOM = 10
_SHORTEST_S = 1.0


@dataclass
class Score:
    """What became of a reference's mutants. Equivalent ones are right programs and do not count."""

    exercise: str
    number: int
    checks: int
    mistakes: int
    correct: int
    mutants: int
    killed: int
    equivalent: int
    survivors: list[Mutant] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    duration_s: float = 0

    @property
    def score(self) -> float:
        """The share of wrong mutants that the suite stops; 1 where there is none."""
        wrong = self.mutants - self.equivalent
        return self.killed / wrong if wrong else 1.0

    @property
    def good(self) -> bool:
        return self.score >= REQUIRED and not self.findings


def mutate(exercise: Exercise, judging: Judging, seeds: list[int], progress: Progress) -> Score:
    """Judge every mutant under each of `seeds`; it is killed if none lets it pass. Raises NotPassing."""
    began = time.monotonic()
    bare, checks = _without_slack(exercise, judging, seeds[0])
    made = mutants(exercise.solution)
    listed, findings = read_equivalents(exercise.root)
    sittings = [Sitting(bare, mutant.source.encode(), seed, until_failed=True) for mutant in made for seed in seeds]
    passed: set[Mutant] = set()
    for done, verdict in enumerate(judging.verdicts(sittings)):
        if verdict.status in (Status.PASSED, Status.FAULT):
            passed.add(made[done // len(seeds)])
        progress("mutants", done + 1, len(sittings))
    explained = {mutant for mutant in passed if any(entry.is_of(mutant) for entry in listed)}
    findings += unmatched(listed, made)
    for entry in listed:
        of_it = [mutant for mutant in made if entry.is_of(mutant)]
        if of_it and not any(mutant in passed for mutant in of_it):
            findings.append(Finding(FILE, "equivalent", f"the suite stops this mutant: {entry.change[0]!r}"))
    return Score(
        exercise=exercise.id,
        number=exercise.number,
        checks=checks,
        mistakes=len(exercise.mistakes),
        correct=len(exercise.correct),
        mutants=len(made),
        killed=len(made) - len(passed),
        equivalent=len(explained),
        survivors=[mutant for mutant in made if mutant in passed - explained],
        findings=findings,
        duration_s=time.monotonic() - began,
    )


class NotPassing(Exception):
    """The reference does not pass its own suite: `verify` says why."""


def _without_slack(exercise: Exercise, judging: Judging, seed: int) -> tuple[Exercise, int]:
    """The exercise without mistakes to look for, with little processor time; and the number of its checks."""
    bare = replace(exercise, mistakes={})
    verdict = next(judging.verdicts([Sitting(bare, exercise.solution.encode(), seed)]))
    if verdict.status != Status.PASSED:
        raise NotPassing
    slowest_s = max(check.duration_ms for check in verdict.checks) / 1000
    cpu_s = min(exercise.limits.cpu_s, max(_SHORTEST_S, _ROOM * slowest_s))
    return replace(bare, limits=replace(exercise.limits, cpu_s=cpu_s)), len(verdict.checks)
