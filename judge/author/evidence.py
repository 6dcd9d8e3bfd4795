"""The verdicts on all programs of an exercise under many seeds, and what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

from judge.author.finding import Finding
from judge.author.judging import Judging, Progress, Sitting
from judge.author.trial import Trial, try_programs
from judge.exercise import Exercise
from judge.job import Job
from judge.language import catalogue
from judge.verdict import CheckResult, Message, Status, Verdict

_CORE = set(catalogue(Path(__file__).parent.parent / "locale", "zh"))  # templates that are the judge's own
HIDDEN = "test_hidden.py"
_SLIPS = ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError")


class Evidence:
    """The verdicts on all programs under all seeds, and what they show."""

    def __init__(self, exercise: Exercise, programs: list[Path]) -> None:
        self.exercise = exercise
        self.programs = programs
        self.verdicts: dict[Path, list[Verdict]] = {}
        self.sample: Verdict | None = None
        self.crashes: dict[str, tuple[Path, str]] = {}  # by check: a program that the suite stumbled over, and how
        self.unreadable = ""  # why the suite or the probe cannot be imported
        self.stumble = ""  # over what the probe stumbles by itself
        self.mistake_of = {path: mistake.name for mistake in exercise.mistakes.values() for path in mistake.files}
        self.right = [exercise.root / "solution.py", *exercise.correct]

    def gather(self, judging: Judging, seeds: list[int], progress: Progress) -> None:
        trials = self._trials(judging, seeds, progress)
        # With what the trials have seen, mistakes are found sooner; where it is not so behind the wall, without it.
        informed = replace(self.exercise, failed=self._failed_in(trials))
        walled = self._walled(judging, informed, self.programs, seeds[:1], progress)
        self.stumble = _stumble_of_probe(trials.get(self.exercise.root / "solution.py", []))
        differing = [path for path in self.programs if not _alike(walled[path][0], trials, path)]
        again = self._walled(judging, replace(self.exercise, failed={}), differing, seeds, progress)
        for path in self.programs:
            tried = [trial.verdict for trial in trials.get(path, [])]
            self.verdicts[path] = again.get(path) or [walled[path][0], *tried[1:]]
        sample = Sitting(self.exercise, (self.exercise.root / "solution.py").read_bytes(), seeds[0], sample=True)
        self.sample = next(judging.verdicts([sample]))

    def _walled(
        self, judging: Judging, exercise: Exercise, programs: list[Path], seeds: list[int], progress: Progress
    ) -> dict[Path, list[Verdict]]:
        found: dict[Path, list[Verdict]] = {path: [] for path in programs}
        sittings = [(path, Sitting(exercise, path.read_bytes(), seed)) for path in programs for seed in seeds]
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

    def _failed_in(self, trials: dict[Path, list[Trial]]) -> dict[str, frozenset[str]]:
        return {
            path.name: frozenset(check for trial in trials[path] for check in _failed(trial.verdict))
            for path in self.mistake_of
            if path in trials
        }

    def findings(self) -> Iterator[Finding]:
        broken = list(self._faults())
        if broken:  # nothing else that such a suite says means anything
            yield from [Finding("probe.py", "suite", self.stumble)] if self.stumble else broken
            return
        unsure = list(_rejections("solution.py", self.verdicts[self.exercise.root / "solution.py"]))
        if unsure:  # the suite is measured by it
            yield from unsure
            return
        for path, verdicts in self.verdicts.items():
            name = name_in(self.exercise, path)
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
                f"check `{check}` stumbles over {name_in(self.exercise, path)} instead of saying what is wrong: {cause}"
            )
            yield Finding(HIDDEN, "message", stumbles)

    def _faults(self) -> Iterator[Finding]:
        for check in self.checks():
            for path, verdict in self._each():
                if any(result.id == check and result.status == Status.FAULT for result in verdict.checks):
                    _, cause = self.crashes.get(check, (path, ""))
                    text = f"check `{check}` fails by itself, whoever is judged (seed {verdict.seed}): {cause}"
                    yield Finding(HIDDEN, "suite", text)
                    break
        if not self.checks():
            yield Finding(HIDDEN, "suite", self.unreadable or "there is no check in it")

    def _idle_checks(self) -> Iterator[Finding]:
        """Checks that no wrong program fails: nobody knows whether they can fail."""
        wrong = [verdict for path in self.mistake_of for verdict in self.verdicts.get(path, [])]
        failed = {check for verdict in wrong for check in _failed(verdict)}
        for check in self.checks():
            if check not in failed and wrong:
                yield Finding(HIDDEN, "idle", f"check `{check}`: every wrong program passes it")

    def checks(self) -> list[str]:
        return list(dict.fromkeys(check.id for _, verdict in self._each() for check in verdict.checks))

    def _each(self) -> Iterator[tuple[Path, Verdict]]:
        for path, verdicts in self.verdicts.items():
            for verdict in verdicts:
                yield path, verdict

    def failed(self) -> dict[str, list[str]]:
        """By file name of a wrong program: the checks that it fails with any seed."""
        return {
            path.name: [check for check in self.checks() if any(check in _failed(v) for v in self.verdicts[path])]
            for path in self.mistake_of
            if path in self.verdicts
        }

    def messages(self) -> list[tuple[Message, Path]]:
        """Authored messages seen, each with a program that it was said to."""
        seen: dict[str, tuple[Message, Path]] = {}
        for path, verdict in self._each():
            for check in verdict.checks:
                if check.message is not None and check.message.template not in _CORE:
                    seen.setdefault(str(check.message.model_dump()), (check.message, path))
        return list(seen.values())


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


def _stumble_of_probe(trials: list[Trial]) -> str:
    """An error that the probe raised by itself: no line of the solution had to do with it."""
    for check in (check for trial in trials for check in trial.verdict.checks):
        if check.status == Status.ERROR and check.message is not None and not check.traceback:
            error = check.message.values.get("error")
            return f"it raises by itself, called by check `{check.id}`: {error}" if error else ""
    return ""


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
    if max(counts.values()) < len(verdicts):
        found = ", ".join(f"`{check}` with {count} of {len(verdicts)}" for check, count in counts.most_common())
        yield Finding(name, "unsteady", f"no check fails it with every seed: {found}")
    others: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        names = sorted(diagnosis.mistake for diagnosis in verdict.diagnoses)
        if names != [mistake]:
            others.setdefault(" and ".join(names), []).append(verdict)
    for named, misnamed in others.items():
        taken = f"taken for {named}" if named else "not recognised"
        yield Finding(name, "diagnosis", f"it is {taken} with {_seeds(misnamed, verdicts)}")


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


def name_in(exercise: Exercise, path: Path) -> str:
    return path.relative_to(exercise.root).as_posix()
