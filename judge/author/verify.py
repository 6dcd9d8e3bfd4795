"""Says what is wrong with an exercise, by reading its folder and by judging all its programs under many seeds.

Every program is judged behind the wall with the first seed, as a submission would be. The other seeds are trusted
trials (`judge.author.trial`), which are many times quicker; a program whose trial says anything else than its judging
did is judged behind the wall for all seeds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace

from judge.author.evidence import HIDDEN, Evidence, name_in
from judge.author.finding import Finding
from judge.author.folder import folder_findings, programs
from judge.author.judging import Judging, Progress, Sitting
from judge.author.statement import block_problems, study_problem
from judge.author.words import leak, wording
from judge.exercise import Exercise, Shelf
from judge.language import EXERCISE_LANGUAGES
from judge.verdict import Status


@dataclass
class Report:
    """What verifying one exercise found, and what it looked at."""

    exercise: str
    findings: list[Finding] = field(default_factory=list)
    checks: int = 0
    mistakes: int = 0
    wrong: int = 0
    correct: int = 0
    seeds: int = 0
    judgings: int = 0  # of right programs
    flakes: int = 0  # right programs that did not pass
    slowest_ms: float = 0  # the reference's slowest check
    duration_s: float = 0
    failed: dict[str, list[str]] = field(default_factory=dict)  # by file of a wrong program: the checks it fails


def verify(exercise: Exercise, shelf: Shelf, judging: Judging, seeds: list[int], progress: Progress) -> Report:
    """Look at everything; without seeds, only at what can be read."""
    began = time.monotonic()
    report = Report(exercise.id, list(folder_findings(exercise, shelf)), seeds=len(seeds))
    if not seeds:
        report.findings += wording(exercise)
        return _finished(report, exercise, began)
    unfit = {finding.file for finding in report.findings if finding.kind == "program"}
    evidence = Evidence(exercise, [path for path in programs(exercise) if name_in(exercise, path) not in unfit])
    report.findings += _statements(exercise, judging)
    report.findings += _study(exercise, judging)
    if exercise.root / "solution.py" in evidence.programs:
        evidence.gather(judging, seeds, progress)
        report.failed = evidence.failed()
        report.findings += evidence.findings()
        report.findings += _wording(exercise, evidence)
        report.findings += _cost(exercise, evidence, judging, seeds[0])
        _count(report, evidence)
    return _finished(report, exercise, began)


def _finished(report: Report, exercise: Exercise, began: float) -> Report:
    report.mistakes = len(exercise.mistakes)
    report.wrong = sum(len(mistake.files) for mistake in exercise.mistakes.values())
    report.correct = len(exercise.correct)
    report.findings.sort()
    report.duration_s = time.monotonic() - began
    return report


def _count(report: Report, evidence: Evidence) -> None:
    right = [verdict for path in evidence.right for verdict in evidence.verdicts.get(path, [])]
    report.checks = len(evidence.checks())
    report.judgings = len(right)
    report.flakes = sum(verdict.status != Status.PASSED for verdict in right)
    first = evidence.verdicts[evidence.exercise.root / "solution.py"][0]
    report.slowest_ms = max((check.duration_ms for check in first.checks), default=0)


def _statements(exercise: Exercise, judging: Judging) -> Iterator[Finding]:
    futures = {
        file: judging.trusted(block_problems, exercise.root, file, exercise.functions)
        for file in (f"statement.{language}.md" for language in EXERCISE_LANGUAGES)
    }
    for file, future in futures.items():
        try:
            problems = future.result()
        except BrokenProcessPool:
            problems = ["a block of it ends the process"]
        except Exception as error:
            problems = [f"solution.py cannot be imported: {type(error).__name__}: {error}"]
        for problem in problems:
            yield Finding(file, "block", problem)


def _study(exercise: Exercise, judging: Judging) -> Iterator[Finding]:
    if exercise.study is None:
        return
    try:
        problem = judging.trusted(study_problem, exercise.root).result()
    except BrokenProcessPool:
        problem = "it ends the process"
    if problem:
        yield Finding("study.py", "study", problem)


def _wording(exercise: Exercise, evidence: Evidence) -> Iterator[Finding]:
    messages = evidence.messages()
    yield from wording(exercise, {message.template for message, _ in messages})
    for message, path in messages:
        for language in EXERCISE_LANGUAGES:
            try:
                shown = exercise.translate(language)(message.template).format(**message.values)
            except (LookupError, ValueError, AttributeError) as error:
                cause = f"a message cannot be filled in: {type(error).__name__}: {error}: {message.template!r}"
                yield Finding(HIDDEN, "message", cause)
                break
            if leak(shown) and not leak(message.template):
                cause = f"said of {name_in(exercise, path)}, the message says {leak(shown)!r}: {message.template!r}"
                yield Finding(HIDDEN, "leak", cause)
                break


def _cost(exercise: Exercise, evidence: Evidence, judging: Judging, seed: int) -> Iterator[Finding]:
    """A reference that needs more than a quarter of a limit: slower machines and other right answers need room."""
    solution = exercise.root / "solution.py"
    if evidence.verdicts[solution][0].status != Status.PASSED:
        return
    limits = exercise.limits
    quarters: dict[str, float] = {
        "wall_s": limits.wall_s / 4,
        "cpu_s": limits.cpu_s / 4,
        "memory_mib": limits.memory_mib // 4,
    }
    if _passes(exercise, quarters, judging, seed):
        return
    for name, quarter in quarters.items():
        if not _passes(exercise, {name: quarter}, judging, seed):
            total = getattr(limits, name)
            yield Finding("exercise.toml", "cost", f"`{name}`: the reference needs more than a quarter of {total:g}")


def _passes(exercise: Exercise, changed: dict[str, float], judging: Judging, seed: int) -> bool:
    """Whether the reference passes with other limits, at the second try if the machine was busy at the first."""
    limits = replace(exercise.limits, **changed)  # type: ignore[arg-type]
    sitting = Sitting(replace(exercise, limits=limits, mistakes={}), exercise.solution.encode(), seed)
    return any(next(judging.verdicts([sitting])).status == Status.PASSED for _ in range(2))
