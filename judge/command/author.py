"""What an instructor does: new, preview, verify, mutate."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from judge.command.exits import NOT_PASSED, PASSED, UsageError
from judge.exercise import Exercise, Shelf, configured_roots, is_id, write_failed

_PROJECT = Path(__file__).resolve().parents[2]

if TYPE_CHECKING:
    from judge.author.mutate import Score
    from judge.author.verify import Report


def verify(shelf: Shelf, arguments: argparse.Namespace) -> int:
    """Exit 0 when nothing was found, else 1."""
    from judge.author.judging import Judging  # imports torch, which no other command needs
    from judge.author.verify import verify as verified

    chosen = _chosen(shelf, arguments.ids)
    clean = True
    for problem in shelf.problems:
        if not arguments.ids or problem.folder.name in arguments.ids:
            clean = False
            _print_unreadable(problem.folder.name, problem.file, problem.cause, as_json=arguments.json)
    with _progress() as bars, Judging() as judging:
        for exercise in chosen:
            with _shown(bars, exercise.id) as progress:
                report = verified(exercise, shelf, judging, _seeds(arguments), progress)
            clean = clean and not report.findings
            if report.failed:
                write_failed(exercise, report.failed)
            _print(report, as_json=arguments.json)
        if judging.without_wall:
            print(f"judge: judged without a wall: {judging.without_wall}", file=sys.stderr)
    return PASSED if clean else NOT_PASSED


def mutate(shelf: Shelf, arguments: argparse.Namespace) -> int:
    """Exit 0 when every suite stops enough mutants, else 1."""
    from judge.author.judging import Judging
    from judge.author.mutate import NotPassing
    from judge.author.mutate import mutate as mutated
    from judge.author.scores import write_score

    good = True
    with _progress() as bars, Judging() as judging:
        for exercise in _chosen(shelf, arguments.ids):
            try:
                with _shown(bars, exercise.id) as progress:
                    score = mutated(exercise, judging, _seeds(arguments), progress)
            except NotPassing:
                text = f"the reference of {exercise.id} does not pass; run: python judge.py verify {exercise.id}"
                raise UsageError(text) from None
            good = good and score.good
            _print_score(exercise, score, as_json=arguments.json)
            write_score(score, exercise.root.parent)
    return PASSED if good else NOT_PASSED


def new(shelf: Shelf, arguments: argparse.Namespace) -> int:
    from judge.author.new import STEPS
    from judge.author.new import new as made

    id, root = arguments.id, arguments.root or configured_roots()[0]
    if not is_id(id):
        raise UsageError(f"{id!r} is not a name for an exercise: lower-case words joined by hyphens, please")
    if id in shelf.exercises:
        raise UsageError(f"there is an exercise {id} already, in {shelf.exercises[id].root}")
    number = 1 + max((exercise.number for exercise in shelf.exercises.values()), default=0)
    try:
        folder = made(id, root, number)
    except FileExistsError:
        raise UsageError(f"{root / id} exists already and stays as it is") from None
    except OSError as error:
        raise UsageError(f"{root / id}: {error.strerror}") from None
    print(f"{folder} judges as it stands. Write, in this order:\n")
    if root.resolve() not in [configured.resolve() for configured in configured_roots()]:
        roots = os.pathsep.join(map(str, [*configured_roots(), root.resolve()]))
        print(f"First make the judge look there:  export FIVE_LINES_EXERCISES={roots}\n")
    width = max(len(name) for name, _ in STEPS)
    for name, what in STEPS:
        print(f"  {name:{width}}  {what}")
    print(f"\nAfter each step:  python judge.py verify {id}")
    print(f"See its page:     python judge.py preview {id}")
    print(f"Try a file:       python judge.py test {id} FILE")
    print(f"In the end:       python judge.py verify {id} --seeds 20\n                  python judge.py mutate {id}")
    return PASSED


def preview(shelf: Shelf, arguments: argparse.Namespace) -> int:
    """The site takes this process over: the judge itself imports nothing of it."""
    _chosen(shelf, [arguments.id])
    options = ["--lang", arguments.lang, "--host", arguments.host, "--port", str(arguments.port)]
    # What lies in the current folder is no module of ours, whatever its name.
    ours = {"PYTHONPATH": str(_PROJECT), "PYTHONSAFEPATH": "1"}
    sys.stdout.flush()
    os.execve(  # noqa: S606 - our own command
        sys.executable, [sys.executable, "-m", "app.preview", arguments.id, *options], os.environ | ours
    )


def _seeds(arguments: argparse.Namespace) -> list[int]:
    """The same ones every time, so that a finding stays until it is mended."""
    return list(range(1, arguments.seeds + 1))


def _chosen(shelf: Shelf, ids: list[str]) -> list[Exercise]:
    known = {problem.folder.name for problem in shelf.problems} | shelf.exercises.keys()
    for id in ids:
        if id not in known:
            raise UsageError(f"there is no exercise {id!r}; there are: {', '.join(sorted(known)) or 'none'}")
    return [exercise for exercise in shelf.exercises.values() if not ids or exercise.id in ids]


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}: {task.fields[doing]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


@contextmanager
def _shown(bars: Progress, id: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar for one exercise, as long as it is being worked on."""
    task = bars.add_task(id, total=None, doing="")
    try:
        yield lambda doing, done, count: bars.update(task, doing=doing, completed=done, total=count)
    finally:
        bars.remove_task(task)


def _print_unreadable(id: str, file: str, cause: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"exercise": id, "findings": [{"file": file, "kind": "folder", "cause": cause}]}), flush=True)
    else:
        print(f"{id}: cannot be read\n  {file}: {cause}", flush=True)


def _print(report: Report, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(report), ensure_ascii=False), flush=True)
        return
    found = f"{len(report.findings)} findings" if report.findings else "clean"
    if not report.seeds:
        print(f"{report.exercise}: {found}, read only: nothing was judged")
    else:
        _print_judged(report, found)
    for finding in report.findings:
        print(f"  {finding}")
    for file in sorted({finding.file for finding in report.findings if finding.paste}):
        print(f"\nFor {file}:\n")
        print("\n".join(finding.paste for finding in report.findings if finding.file == file and finding.paste))
    sys.stdout.flush()


def _print_judged(report: Report, found: str) -> None:
    print(
        f"{report.exercise}: {found} ({report.checks} checks, {report.mistakes} mistakes in {report.wrong} programs, "
        f"{report.correct} other right answers, {report.seeds} seeds; right answers failed {report.flakes} of "
        f"{report.judgings} judgings; its slowest check takes {report.slowest_ms:.0f} ms; {report.duration_s:.0f} s)"
    )


def _print_score(exercise: Exercise, score: Score, *, as_json: bool) -> None:
    from judge.author.equivalent import as_entry
    from judge.author.scores import percent

    if as_json:
        print(json.dumps(asdict(score) | {"score": score.score}, ensure_ascii=False), flush=True)
        return
    for mutant in score.survivors:
        print(f"\n{mutant.diff(exercise.solution, f'{exercise.id}/solution.py')}\n")
        print(as_entry(mutant))
    for finding in score.findings:
        print(f"  {finding}")
    print(
        f"{score.exercise}: {percent(score.score)} ({score.killed} of {score.mutants} mutants killed, "
        f"{score.equivalent} equivalent, {len(score.survivors)} survived; {score.duration_s:.0f} s)",
        flush=True,
    )
