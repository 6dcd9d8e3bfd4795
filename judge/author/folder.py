"""What can be said about an exercise without judging anything: its names, its place on the shelf, its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from judge import source
from judge.author.equivalent import read_equivalents, unmatched
from judge.author.finding import Finding
from judge.author.mutants import mutants
from judge.author.new import left_as_made
from judge.exercise import DEFAULT_ROOT, Exercise, Shelf
from judge.language import EXERCISE_LANGUAGES

HINTS = range(2, 5)
_CHAPTER = DEFAULT_ROOT.parent / "chapter" / "en"


def folder_findings(exercise: Exercise, shelf: Shelf) -> Iterator[Finding]:
    yield from _place(exercise, shelf)
    yield from _programs(exercise)
    yield from _hints(exercise)
    yield from left_as_made(exercise)
    yield from _equivalents(exercise)


def _place(exercise: Exercise, shelf: Shelf) -> Iterator[Finding]:
    file = "exercise.toml"
    for other in shelf.exercises.values():
        if other.number == exercise.number and _series(other.id) != _series(exercise.id):
            yield Finding(file, "place", f"`number` {exercise.number} is that of {other.id} too")
    if not any(_CHAPTER.glob(f"*-{exercise.chapter}.md")):
        yield Finding(file, "place", f"`chapter`: there is no section {exercise.chapter!r}")
    for id in exercise.prerequisites:
        before = shelf.exercises.get(id)
        if before is None:
            yield Finding(file, "place", f"`prerequisites`: there is no exercise {id!r}")
        elif before.number >= exercise.number:
            yield Finding(file, "place", f"`prerequisites`: {id} comes later in the course, or is this exercise")


def _series(id: str) -> str:
    """`hunt-1`, `hunt-2`, ... share a place in the course."""
    return re.sub(r"-\d+$", "", id)


def _programs(exercise: Exercise) -> Iterator[Finding]:
    """Every program can at least be handed in."""
    if not exercise.mistakes:
        yield Finding("wrong/", "program", "there is no mistake to recognise")
    for path in programs(exercise):
        name = path.relative_to(exercise.root).as_posix()
        try:
            source.check(source.decoded(path.read_bytes()), exercise.functions)
        except source.Rejected as rejected:
            yield Finding(name, "program", f"it would be rejected: {rejected}")


def _equivalents(exercise: Exercise) -> Iterator[Finding]:
    listed, findings = read_equivalents(exercise.root)
    yield from findings
    yield from unmatched(listed, mutants(exercise.solution))


def programs(exercise: Exercise) -> list[Path]:
    wrong = [path for mistake in exercise.mistakes.values() for path in mistake.files]
    return [exercise.root / "starter.py", exercise.root / "solution.py", *exercise.correct, *wrong]


def _hints(exercise: Exercise) -> Iterator[Finding]:
    counts = {language: len(exercise.hints(language)) for language in EXERCISE_LANGUAGES}
    for language, count in counts.items():
        file = f"hints.{language}.md"
        if count not in HINTS:
            yield Finding(file, "hints", f"it has {count} hints; {HINTS[0]} to {HINTS[-1]} are asked for")
        elif count != counts["en"]:
            yield Finding(file, "hints", f"it has {count} hints, but hints.en.md has {counts['en']}")
