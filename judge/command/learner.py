"""What a learner does at their own editor: list, start, test, hint, solution."""

from __future__ import annotations

import argparse
import errno
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from judge.command.exits import FAULT, NOT_PASSED, PASSED, USAGE, UsageError
from judge.command.show import VerdictPrinter
from judge.exercise import Exercise, Shelf
from judge.grade import Judge
from judge.language import localized, translator
from judge.sandbox.wall import NoWall
from judge.source import MAX_SOURCE_BYTES
from judge.text import on_one_line
from judge.verdict import Finished, Status, Verdict

WORK = Path("work")
_HINTS_SEEN = WORK / ".hints.json"


def list_exercises(shelf: Shelf, arguments: argparse.Namespace) -> int:
    width = max((len(id) for id in shelf.exercises), default=0)
    for exercise in shelf.exercises.values():
        print(f"{exercise.number:3}  {exercise.id:{width}}  {exercise.difficulty:8}  {exercise.title(arguments.lang)}")
    return PASSED


def start(shelf: Shelf, arguments: argparse.Namespace) -> int:
    exercise = _exercise(shelf, arguments.id)
    say = translator(arguments.lang)
    path = WORK / f"{exercise.id}.py"
    try:
        WORK.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(exercise.starter)
    except FileExistsError:
        raise UsageError(say("{path} exists already and stays as it is.").format(path=path)) from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    print(exercise.statement(arguments.lang).strip())
    print()
    print(say("Write your answer in {path}, then: python judge.py test {id}").format(path=path, id=exercise.id))
    return PASSED


def hint(shelf: Shelf, arguments: argparse.Namespace) -> int:
    """Each call shows the next hint; after the last one, the last again."""
    exercise = _exercise(shelf, arguments.id)
    hints = exercise.hints(arguments.lang)
    seen = _hints_seen()
    number = min(seen.get(exercise.id, 0) + 1, len(hints)) if arguments.number is None else arguments.number
    if not 1 <= number <= len(hints):
        raise UsageError(f"{exercise.id} has hints 1 to {len(hints)}")
    print(translator(arguments.lang)("Hint {number} of {count}").format(number=number, count=len(hints)))
    print()
    print(hints[number - 1])
    WORK.mkdir(exist_ok=True)
    _HINTS_SEEN.write_text(json.dumps(seen | {exercise.id: max(number, seen.get(exercise.id, 0))}))
    return PASSED


def solution(shelf: Shelf, arguments: argparse.Namespace) -> int:
    print(_exercise(shelf, arguments.id).solution.rstrip())
    return PASSED


def test(shelf: Shelf, arguments: argparse.Namespace) -> int:
    exercise = _exercise(shelf, arguments.id)
    files = arguments.files or [WORK / f"{exercise.id}.py"]
    if not arguments.files and not files[0].exists():
        raise UsageError(f"{files[0]} is not there; begin with: python judge.py start {exercise.id}")
    with judge_for_this_machine(arguments.lang) as judge:
        if arguments.watch:
            return _watch(judge, exercise, files, arguments)
        return max(status for file in files for status in _test_file(judge, exercise, file, arguments))


@contextmanager
def judge_for_this_machine(language: str) -> Iterator[Judge]:
    """A judge behind a wall, or where none can be had without one, saying so."""
    say = translator(language)
    console = Console(stderr=True)
    with console.status(say("Starting the judge ...")):
        try:
            judge = Judge()
        except NoWall as reason:
            text = say("No sandbox here: {reason}. Your file runs in a plain process, with your rights.")
            console.print(text.format(reason=str(reason).rstrip(".")), markup=False, highlight=False)
            judge = Judge(walled=False)
    with judge:
        yield judge


def _test_file(judge: Judge, exercise: Exercise, file: Path, arguments: argparse.Namespace) -> Iterator[int]:
    """Yields the exit status before the verdict is shown: whoever reads that may interrupt us at once."""
    name = on_one_line(str(file))  # it may have come with somebody's homework
    try:
        source = _source(file)
    except OSError as error:
        print(f"judge: {name}: {error.strerror}", file=sys.stderr)
        yield USAGE
        return
    translate = exercise.translate(arguments.lang)
    printer = None if arguments.json else VerdictPrinter(translate)
    if printer and len(arguments.files) > 1:
        print(f"\n{name}")
    for event in judge.grade(exercise, source, seed=arguments.seed, sample=arguments.sample):
        if isinstance(event, Finished):
            yield _exit_status(event.verdict)
            if arguments.json:
                shown = {"file": name} | localized(event.verdict, translate)
                print(json.dumps(shown, ensure_ascii=False), flush=True)
        if printer:
            printer.show(event)


def _source(file: Path) -> bytes:
    """What a file holds, as far as it can be judged. Homework of others may be no file, or one of any size."""
    if not (file.is_file() or file.is_dir()) and file.exists():
        raise OSError(errno.EINVAL, "Not a file")
    with file.open("rb") as opened:
        return opened.read(MAX_SOURCE_BYTES + 1)


def _watch(judge: Judge, exercise: Exercise, files: list[Path], arguments: argparse.Namespace) -> int:
    from watchfiles import watch  # only here, and not quick to import

    status = max(status for file in files for status in _test_file(judge, exercise, file, arguments))
    watched = {file.resolve() for file in files}
    try:
        # Folders, since editors replace a file at saving. Raising on interrupt would lose the last status.
        for changes in watch(*{file.parent for file in watched}, raise_interrupt=False, recursive=False):
            changed = [file for file in files if str(file.resolve()) in {path for _, path in changes}]
            for file in changed:
                if file.exists():
                    print()
                    for judged in _test_file(judge, exercise, file, arguments):
                        status = judged
    except KeyboardInterrupt:
        pass
    return status


def _exit_status(verdict: Verdict) -> int:
    if verdict.status == Status.FAULT:
        return FAULT
    return PASSED if verdict.status == Status.PASSED else NOT_PASSED


def _exercise(shelf: Shelf, id: str) -> Exercise:
    try:
        return shelf.exercises[id]
    except KeyError:
        known = ", ".join(shelf.exercises) or "none"
        raise UsageError(f"there is no exercise {id!r}; there are: {known}") from None


def _hints_seen() -> dict[str, int]:
    try:
        seen = json.loads(_HINTS_SEEN.read_text())
        return {str(id): int(number) for id, number in seen.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
