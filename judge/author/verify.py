"""Says what is wrong with an exercise, by reading its folder and by judging all its programs under many seeds.

Every program is judged behind the wall with the first seed, as a submission would be. The other seeds are trusted
trials (`judge.author.trial`), which are many times quicker; a program whose trial says anything else than its judging
did is judged behind the wall for all seeds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.author.finding import Finding
from judge.author.folder import folder_findings, programs
from judge.author.judging import Judging, Sitting
from judge.author.statement import block_problems
from judge.author.trial import Trial, try_programs
from judge.author.words import leak, wording
from judge.exercise import Exercise, Shelf
from judge.job import Job
from judge.language import LANGUAGES, catalogue
from judge.verdict import CheckResult, Message, Status, Verdict

Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, of how much
_CORE = set(catalogue(Path(__file__).parent.parent / "locale", "zh"))  # templates that are the judge's own
_HIDDEN = "test_hidden.py"
_SLIPS = ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError")


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


def verify(exercise: Exercise, shelf: Shelf, judging: Judging, seeds: list[int], progress: Progress) -> Report:
    """Look at everything; without seeds, only at what can be read."""
    began = time.monotonic()
    report = Report(exercise.id, list(folder_findings(exercise, shelf)), seeds=len(seeds))
    if not seeds:
        report.findings += wording(exercise)
        return _finished(report, exercise, began)
    unfit = {finding.file for finding in report.findings if finding.kind == "program"}
    evidence = _Evidence(exercise, [path for path in programs(exercise) if _name(exercise, path) not in unfit])
    report.findings += _statements(exercise, judging)
    if exercise.root / "solution.py" in evidence.programs:
        evidence.gather(judging, seeds, progress)
        report.findings += evidence.findings()
        report.findings += _wording(exercise, evidence)
        report.findings += _cost(exercise, evidence, judging, seeds[0])
        evidence.count(report)
    return _finished(report, exercise, began)


def _finished(report: Report, exercise: Exercise, began: float) -> Report:
    report.mistakes = len(exercise.mistakes)
    report.wrong = sum(len(mistake.files) for mistake in exercise.mistakes.values())
    report.correct = len(exercise.correct)
    report.findings.sort()
    report.duration_s = time.monotonic() - began
    return report


class _Evidence:
    """The verdicts on all programs under all seeds, and what they show."""

    def __init__(self, exercise: Exercise, programs: list[Path]) -> None:
        self.exercise = exercise
        self.programs = programs
        self.verdicts: dict[Path, list[Verdict]] = {}
        self.sample: Verdict | None = None
        self.crashes: dict[str, tuple[Path, str]] = {}  # by check: a program that the suite stumbled over, and how
        self.unreadable = ""  # why the suite or the probe cannot be imported
        self.mistake_of = {path: mistake.name for mistake in exercise.mistakes.values() for path in mistake.files}
        self.right = [exercise.root / "solution.py", *exercise.correct]

    def gather(self, judging: Judging, seeds: list[int], progress: Progress) -> None:
        walled = self._walled(judging, self.programs, seeds[:1], progress)
        trials = self._trials(judging, seeds, progress)
        differing = [path for path in self.programs if not _alike(walled[path][0], trials, path)]
        again = self._walled(judging, differing, seeds, progress)
        for path in self.programs:
            tried = [trial.verdict for trial in trials.get(path, [])]
            self.verdicts[path] = again.get(path) or [walled[path][0], *tried[1:]]
        sample = Sitting(self.exercise, (self.exercise.root / "solution.py").read_bytes(), seeds[0], sample=True)
        self.sample = next(judging.verdicts([sample]))

    def _walled(
        self, judging: Judging, programs: list[Path], seeds: list[int], progress: Progress
    ) -> dict[Path, list[Verdict]]:
        found: dict[Path, list[Verdict]] = {path: [] for path in programs}
        sittings = [(path, Sitting(self.exercise, path.read_bytes(), seed)) for path in programs for seed in seeds]
        verdicts = judging.verdicts(sitting for _, sitting in sittings)
        for done, ((path, _), verdict) in enumerate(zip(sittings, verdicts, strict=True)):
            found[path].append(verdict)
            progress("judging", done + 1, len(sittings))
        return found

    def _trials(self, judging: Judging, seeds: list[int], progress: Progress) -> dict[Path, list[Trial]]:
        found: dict[Path, list[Trial]] = {path: [] for path in self.programs}
        jobs = [Job.of(self.exercise, "", seed=seed, sample=False, device="cpu") for seed in seeds]
        futures = [judging.trusted(try_programs, job, tuple(self.programs)) for job in jobs]
        for done, future in enumerate(futures):
            try:
                trials = future.result()
            except BrokenProcessPool:  # a program ended the process: all are judged behind the wall then
                return {}
            except Exception as error:
                self.unreadable = f"{type(error).__name__}: {error}"
                return {}
            for path, trial in zip(self.programs, trials, strict=True):
                found[path].append(trial)
                for check, cause in trial.crashes.items():
                    self.crashes.setdefault(check, (path, cause))
            progress("trying seeds", done + 1, len(jobs))
        return found

    def findings(self) -> Iterator[Finding]:
        broken = list(self._faults())
        if broken:  # nothing else that such a suite says means anything
            yield from broken
            return
        reference = self.exercise.root / "solution.py"
        unsure = list(_rejections("solution.py", self.verdicts[reference]))
        if unsure:  # the suite is measured by it
            yield from unsure
            return
        for path, verdicts in self.verdicts.items():
            name = _name(self.exercise, path)
            if path in self.right:
                yield from _rejections(name, verdicts)
            elif path in self.mistake_of:
                yield from _slips(name, verdicts[0])
                yield from _mistake(name, self.mistake_of[path], verdicts)
            elif any(verdict.status == Status.PASSED for verdict in verdicts):
                yield Finding(name, "starter", "it passes as it stands: there is nothing left to write")
        yield from self._idle_checks()
        if self.sample is not None and self.sample.status != Status.PASSED:
            yield Finding("test_sample.py", "sample", f"the reference does not pass it: {_why(self.sample)}")
        for check, (path, cause) in self.crashes.items():
            stumbles = (
                f"check `{check}` stumbles over {_name(self.exercise, path)} instead of saying what is wrong: {cause}"
            )
            yield Finding(_HIDDEN, "message", stumbles)

    def _faults(self) -> Iterator[Finding]:
        for check in self._checks():
            for path, verdict in self._each():
                if any(result.id == check and result.status == Status.FAULT for result in verdict.checks):
                    _, cause = self.crashes.get(check, (path, ""))
                    text = f"check `{check}` fails by itself, whoever is judged (seed {verdict.seed}): {cause}"
                    yield Finding(_HIDDEN, "suite", text)
                    break
        if not self._checks():
            yield Finding(_HIDDEN, "suite", self.unreadable or "there is no check in it")

    def _idle_checks(self) -> Iterator[Finding]:
        """Checks that no wrong program fails: nobody knows whether they can fail."""
        wrong = [verdict for path in self.mistake_of for verdict in self.verdicts.get(path, [])]
        failed = {check for verdict in wrong for check in _failed(verdict)}
        for check in self._checks():
            if check not in failed and wrong:
                yield Finding(_HIDDEN, "idle", f"check `{check}`: every wrong program passes it")

    def _checks(self) -> list[str]:
        return list(dict.fromkeys(check.id for _, verdict in self._each() for check in verdict.checks))

    def _each(self) -> Iterator[tuple[Path, Verdict]]:
        for path, verdicts in self.verdicts.items():
            for verdict in verdicts:
                yield path, verdict

    def messages(self) -> list[tuple[Message, Path]]:
        """Authored messages seen, each with a program that it was said to."""
        seen: dict[str, tuple[Message, Path]] = {}
        for path, verdict in self._each():
            for check in verdict.checks:
                if check.message is not None and check.message.template not in _CORE:
                    seen.setdefault(str(check.message.model_dump()), (check.message, path))
        return list(seen.values())

    def count(self, report: Report) -> None:
        right = [verdict for path in self.right for verdict in self.verdicts.get(path, [])]
        report.checks = len(self._checks())
        report.judgings = len(right)
        report.flakes = sum(verdict.status != Status.PASSED for verdict in right)
        first = self.verdicts[self.exercise.root / "solution.py"][0]
        report.slowest_ms = max((check.duration_ms for check in first.checks), default=0)


def _alike(walled: Verdict, trials: dict[Path, list[Trial]], path: Path) -> bool:
    """Whether a trial says what the judging said."""
    if path not in trials:
        return False
    trial = trials[path][0].verdict
    return _essence(walled) == _essence(trial)


def _essence(verdict: Verdict) -> object:
    checks = [(check.id, check.status) for check in verdict.checks]
    return checks, sorted((diagnosis.mistake, diagnosis.checks) for diagnosis in verdict.diagnoses)


def _rejections(name: str, verdicts: list[Verdict]) -> Iterator[Finding]:
    failed = [verdict for verdict in verdicts if verdict.status != Status.PASSED]
    if failed:
        seeds = _seeds(failed, verdicts)
        yield Finding(name, "rejected", f"this right answer does not pass with {seeds}: {_why(failed[0])}")


def _slips(name: str, verdict: Verdict) -> Iterator[Finding]:
    """A wrong program that only runs into a name that is not there makes another mistake than it was written for."""
    errors = [str((check.message or Message(template="")).values.get("error", "")) for check in verdict.checks]
    slip = next((error for error in errors if error.startswith(_SLIPS)), "")
    if slip and all(errors):
        yield Finding(name, "program", f"it does not get far enough to make its mistake: {slip}")


def _mistake(name: str, mistake: str, verdicts: list[Verdict]) -> Iterator[Finding]:
    passed = [verdict for verdict in verdicts if verdict.status == Status.PASSED]
    if passed:
        yield Finding(name, "accepted", f"this wrong answer passes with {_seeds(passed, verdicts)}")
        return
    counts = Counter(check for verdict in verdicts for check in _failed(verdict))
    for check, count in counts.items():
        if count < len(verdicts):
            passing = [verdict for verdict in verdicts if check not in _failed(verdict)]
            yield Finding(name, "unsteady", f"check `{check}` fails it, but not with {_seeds(passing, verdicts)}")
    others: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        names = sorted(diagnosis.mistake for diagnosis in verdict.diagnoses)
        if names != [mistake]:
            others.setdefault(" and ".join(names), []).append(verdict)
    for named, misnamed in others.items():
        taken = f"taken for {named}" if named else "not recognised"
        yield Finding(name, "diagnosis", f"it is {taken} with {_seeds(misnamed, verdicts)}")


def _statements(exercise: Exercise, judging: Judging) -> Iterator[Finding]:
    futures = {
        file: judging.trusted(block_problems, exercise.root, file, exercise.functions)
        for file in (f"statement.{language}.md" for language in LANGUAGES)
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


def _wording(exercise: Exercise, evidence: _Evidence) -> Iterator[Finding]:
    messages = evidence.messages()
    yield from wording(exercise, {message.template for message, _ in messages})
    for message, path in messages:
        for language in LANGUAGES:
            try:
                shown = exercise.translate(language)(message.template).format(**message.values)
            except (LookupError, ValueError, AttributeError) as error:
                cause = f"a message cannot be filled in: {type(error).__name__}: {error}: {message.template!r}"
                yield Finding(_HIDDEN, "message", cause)
                break
            if leak(shown) and not leak(message.template):
                cause = f"said of {_name(exercise, path)}, the message says {leak(shown)!r}: {message.template!r}"
                yield Finding(_HIDDEN, "leak", cause)
                break


def _cost(exercise: Exercise, evidence: _Evidence, judging: Judging, seed: int) -> Iterator[Finding]:
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


def _failed(verdict: Verdict) -> list[str]:
    return [check.id for check in verdict.checks if check.status != Status.PASSED]


def _why(verdict: Verdict) -> str:
    """The first thing that went wrong."""
    failed: Iterable[CheckResult] = (check for check in verdict.checks if check.status != Status.PASSED)
    for check in failed:
        return f"check `{check.id}`: {check.status}" + (f": {check.message}" if check.message else "")
    return str(verdict.message or verdict.status)


def _seeds(some: list[Verdict], verdicts: list[Verdict]) -> str:
    """Which seeds, in few words: they replay with `test --seed`."""
    if len(some) == len(verdicts):
        return "any seed" if len(verdicts) > 1 else f"seed {some[0].seed}"
    listed = ", ".join(str(verdict.seed) for verdict in some[:3])
    more = ", ..." if len(some) > 3 else ""
    return f"seed {listed}{more} ({len(some)} of {len(verdicts)})"


def _name(exercise: Exercise, path: Path) -> str:
    return path.relative_to(exercise.root).as_posix()
