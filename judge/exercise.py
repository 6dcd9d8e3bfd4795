"""An exercise folder, read and validated. It is pure content: no code of the site or of the judge lives in it.

A broken folder gives `Problem`s, each with file and cause, and does not take the others down.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judge.language import LANGUAGES, Translate, catalogue, translator
from judge.limits import Limits

DIFFICULTIES = ("easy", "medium", "hard", "capstone")
DEFAULT_ROOT = Path(__file__).resolve().parent.parent / "exercises"

_CODE_FILES = ("starter.py", "solution.py", "probe.py", "test_sample.py", "test_hidden.py")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_WRONG_FILE = re.compile(r"[a-z][a-z0-9_]*")
_VARIANT = "__"


class Broken(Exception):
    """An exercise folder cannot be used: which file, and why."""

    def __init__(self, file: str, cause: str) -> None:
        super().__init__(f"{file}: {cause}")
        self.file = file
        self.cause = cause


@dataclass(frozen=True)
class Problem:
    folder: Path
    file: str
    cause: str

    def __str__(self) -> str:
        return f"{self.folder.name}/{self.file}: {self.cause}"


class _Limits(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)
    wall_s: float = Field(Limits.wall_s, gt=0, le=120)
    cpu_s: float = Field(Limits.cpu_s, gt=0, le=120)
    memory_mib: int = Field(Limits.memory_mib, ge=64, le=8192)
    processes: int = Field(Limits.processes, ge=0, le=16)
    output_kib: int = Field(Limits.output_kib, ge=1, le=1024)
    file_kib: int = Field(Limits.file_kib, ge=1, le=32_768)


class _Description(BaseModel):
    """exercise.toml."""

    model_config = ConfigDict(extra="forbid")
    number: int = Field(ge=1)
    difficulty: str
    functions: list[str] = Field(min_length=1)
    chapter: str
    prerequisites: list[str] = []
    limits: _Limits = _Limits()


@dataclass(frozen=True)
class Mistake:
    """A known wrong solution: its name, the English sentence about it, and the programs that make it."""

    name: str
    sentence: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Exercise:
    id: str
    root: Path
    number: int
    difficulty: str
    functions: tuple[str, ...]
    chapter: str
    prerequisites: tuple[str, ...]
    limits: Limits
    hash: str
    mistakes: dict[str, Mistake]
    correct: tuple[Path, ...]
    _titles: dict[str, str] = field(repr=False)

    def title(self, language: str = "en") -> str:
        return self._titles[language]

    def statement(self, language: str = "en") -> str:
        """Markdown; its first line is the title."""
        return self._text(f"statement.{language}.md")

    def hints(self, language: str = "en") -> list[str]:
        return _hints(self._text(f"hints.{language}.md"))

    @cached_property
    def starter(self) -> str:
        return self._text("starter.py")

    @cached_property
    def solution(self) -> str:
        return self._text("solution.py")

    @cached_property
    def sample_tests(self) -> str:
        return self._text("test_sample.py")

    def translate(self, language: str) -> Translate:
        """Turns check titles, message templates and sentences of mistakes into `language`."""
        return translator(language, self.root / "locale")

    def _text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Shelf:
    """All exercises of some roots, in course order, and what is wrong with the folders left out."""

    exercises: dict[str, Exercise]
    problems: list[Problem]


def configured_roots() -> list[Path]:
    """Where exercises are: FIVE_LINES_EXERCISES, folders joined as in PATH; else those of the project."""
    named = os.environ.get("FIVE_LINES_EXERCISES", "").split(os.pathsep)
    return [Path(root) for root in named if root] or [DEFAULT_ROOT]


def load_exercises(roots: Iterable[Path] = (DEFAULT_ROOT,)) -> Shelf:
    """Read every exercise folder of `roots`. A folder with a problem is left out, and so is a second of the same id."""
    found: dict[str, Exercise] = {}
    problems: list[Problem] = []
    for root in roots:
        for folder in _exercise_folders(root):
            try:
                exercise = read_exercise(folder)
                if exercise.id in found:
                    raise Broken("exercise.toml", f"another folder is named {exercise.id} too")
                found[exercise.id] = exercise
            except Broken as error:
                problems.append(Problem(folder, error.file, error.cause))
    ordered = sorted(found.values(), key=lambda exercise: (exercise.number, exercise.id))
    return Shelf({exercise.id: exercise for exercise in ordered}, problems)


def read_exercise(folder: Path) -> Exercise:
    """Read one exercise folder; raises Broken with the first thing that is wrong with it."""
    if not is_id(folder.name):
        raise Broken("", "the folder's name must be lower-case words joined by hyphens")
    description = _description(folder)
    for name in _CODE_FILES:
        _parse(folder, name)
    for language in LANGUAGES:
        if language != "en":
            _catalogue(folder, language)
        if not _hints(_text(folder, f"hints.{language}.md")):
            raise Broken(f"hints.{language}.md", "there is no hint in it")
    return Exercise(
        id=folder.name,
        root=folder,
        number=description.number,
        difficulty=description.difficulty,
        functions=tuple(description.functions),
        chapter=description.chapter,
        prerequisites=tuple(description.prerequisites),
        limits=Limits(**description.limits.model_dump()),
        hash=_content_hash(folder),
        mistakes=_mistakes(folder),
        correct=tuple(_python_files(folder, "correct")),
        _titles={language: _title(folder, language) for language in LANGUAGES},
    )


def is_id(name: str) -> bool:
    return _ID.fullmatch(name) is not None


def _exercise_folders(root: Path) -> list[Path]:
    if not root.is_dir():
        return []
    return sorted(path for path in root.iterdir() if path.is_dir() and path.name[0] not in "._")


def _text(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Broken(name, "the file is missing") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Broken(name, f"cannot be read as UTF-8 text: {error}") from None


def _description(folder: Path) -> _Description:
    name = "exercise.toml"
    try:
        description = _Description.model_validate(tomllib.loads(_text(folder, name)))
    except tomllib.TOMLDecodeError as error:
        raise Broken(name, f"not valid TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise Broken(name, f"`{place}`: {first['msg']}") from None
    if description.difficulty not in DIFFICULTIES:
        raise Broken(name, f"`difficulty` must be one of {', '.join(DIFFICULTIES)}")
    for function in description.functions:
        if not function.isidentifier():
            raise Broken(name, f"`functions`: {function!r} is not a name")
    return description


def _parse(folder: Path, name: str) -> ast.Module:
    try:
        return ast.parse(_text(folder, name))
    except (SyntaxError, ValueError) as error:
        line = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        raise Broken(name, f"{line}not valid Python: {getattr(error, 'msg', error)}") from None


def _title(folder: Path, language: str) -> str:
    name = f"statement.{language}.md"
    first, *_ = _text(folder, name).splitlines() or [""]
    title = first.removeprefix("# ").strip()
    if not first.startswith("# ") or not title:
        raise Broken(name, "the first line must be the title: `# ...`")
    return title


def _hints(text: str) -> list[str]:
    hints = (hint.strip() for hint in re.split(r"^---$", text, flags=re.MULTILINE))
    return [hint for hint in hints if hint]


def _catalogue(folder: Path, language: str) -> None:
    if not (folder / "locale" / f"{language}.po").exists():
        raise Broken(f"locale/{language}.po", "the file is missing")
    try:
        catalogue(folder / "locale", language)
    except ValueError as error:
        raise Broken(f"locale/{language}.po", str(error)) from None


def _python_files(folder: Path, part: str) -> Iterator[Path]:
    return iter(sorted((folder / part).glob("*.py")))


def _mistakes(folder: Path) -> dict[str, Mistake]:
    """The mistakes of `wrong/`: `no_clip.py` is `no-clip`, and `no_clip__by_hand.py` another program that makes it."""
    files: dict[str, list[Path]] = {}
    sentences: dict[str, str] = {}
    for path in _python_files(folder, "wrong"):
        name = f"wrong/{path.name}"
        tree = _parse(folder, name)
        if not _WRONG_FILE.fullmatch(path.stem):
            raise Broken(name, "a mistake's file must be lower-case words joined by underscores")
        stem, variant, _ = path.stem.partition(_VARIANT)
        mistake = stem.replace("_", "-")
        files.setdefault(mistake, []).append(path)
        if not variant:
            sentence = (ast.get_docstring(tree) or "").split("\n\n")[0]
            if not sentence:
                raise Broken(name, "the docstring must say what happens with this mistake and why")
            sentences[mistake] = " ".join(sentence.split())
    for mistake, paths in files.items():
        if mistake not in sentences:
            raise Broken(f"wrong/{paths[0].name}", f"a variant of {mistake}, whose own file is missing")
    return {name: Mistake(name, sentences[name], tuple(files[name])) for name in files}


def _content_hash(folder: Path) -> str:
    """Names the content of all files of the folder, so that a verdict says what it was judged by."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]
