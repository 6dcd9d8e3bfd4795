"""Makes a folder for a new exercise. It judges as it stands; what is in it is then replaced, piece by piece."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from judge.author.finding import Finding
from judge.exercise import Exercise

TEMPLATE = Path(__file__).parent / "template"
# What to write, in this order: each step can be tried before the next.
STEPS = [
    ("exercise.toml", "number, difficulty, the functions to write, the section of the chapter"),
    ("statement.en.md", "what to write, to the letter, with a worked example, and why it matters"),
    ("starter.py", "what learners begin with; it must not pass"),
    ("solution.py", "the reference, short enough to read aloud"),
    ("probe.py", "calls a solution and returns what happened as plain data"),
    ("test_sample.py", "the checks that learners see"),
    ("test_hidden.py", "the checks that count: one thing each, inputs drawn from rng"),
    ("wrong/", "a file for each mistake; its docstring is the sentence about it"),
    ("correct/", "right answers in other styles, which must pass"),
    ("hints.en.md", "two to four, from gentle to nearly there, with a line --- between"),
    ("statement.zh.md, hints.zh.md, locale/zh.po", "the same in Chinese"),
]


def new(id: str, root: Path, number: int) -> Path:
    """The folder of a new exercise. Raises FileExistsError where there is one of that name."""
    folder = root / id
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_text(_filled(path.read_text(encoding="utf-8"), id, number), encoding="utf-8")
    return folder


def left_as_made(exercise: Exercise) -> Iterator[Finding]:
    """Files that still say what the template says."""
    for template in sorted(TEMPLATE.rglob("*")):
        name = template.relative_to(TEMPLATE).as_posix()
        path = exercise.root / name
        if template.is_file() and path.is_file() and "__pycache__" not in template.parts:
            text = _filled(template.read_text(encoding="utf-8"), exercise.id, exercise.number)
            if path.read_text(encoding="utf-8") == text:
                yield Finding(name, "template", "it is still what `new` wrote")


def _filled(text: str, id: str, number: int) -> str:
    return text.replace("FUNCTION", id.replace("-", "_")).replace("NUMBER", str(number))
