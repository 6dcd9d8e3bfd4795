"""An exercise folder, read and validated. It is pure content: no code of the site or of the judge lives in it.

A broken folder gives `Problem`s, each with file and cause, and does not take the others down.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from judge.language import EXERCISE_LANGUAGES, Translator, catalogue, exercise_language, figure_in, translator
from judge.limits import Limits

DIFFICULTIES = ("easy", "medium", "hard", "capstone")
DEFAULT_ROOT = Path(__file__).resolve().parent.parent / "exercises"

_CODE_FILES = ("starter.py", "solution.py", "probe.py", "test_sample.py", "test_hidden.py")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_WRONG_FILE = re.compile(r"[a-z][a-z0-9_]*")
_VARIANT = "__"
_SYMPTOM = "symptom.json"
_STUDY = "study.py"
_FAILED = "wrong/failed.json"  # written by `verify`; says nothing that the programs do not say, only quicker


class Broken(Exception):
    """An exercise folder cannot be used: which file, and why."""

    def __init__(self, file: str, cause: str) -> None:
        super().__init__(f"{file}: {cause}")
        self.file = file
        self.cause = cause


@dataclass(frozen=True)
class Problem:
    """What is wrong with a folder. Where its last good version is still shown, `shown` says of when that is."""

    folder: Path
    file: str
    cause: str
    shown: datetime | None = None

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


class _Symptom(BaseModel):
    """symptom.json: a figure in the form of a verdict's."""

    model_config = ConfigDict(extra="forbid")
    kind: str = Field(min_length=1)
    data: dict[str, JsonValue]


@dataclass(frozen=True)
class Mistake:
    """A known wrong solution: its name, the English sentence about it, and the programs that make it."""

    name: str
    sentence: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Study:
    """A program that learners may run after their own, in one module, before they submit; its last line is a figure."""

    sentence: str  # what it does, in English
    program: str


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
    failed: dict[str, frozenset[str]]  # by name of a file in `wrong/`: the checks it fails; only what `verify` has seen
    correct: tuple[Path, ...]
    symptom: dict[str, JsonValue] | None  # how the starter's run looks, where that is shown: a figure's kind and data
    study: Study | None
    _titles: dict[str, str] = field(repr=False)

    def title(self, language: str = "en") -> str:
        return self._titles[exercise_language(language)]

    def statement(self, language: str = "en") -> str:
        """Markdown; its first line is the title."""
        return self._text(f"statement.{exercise_language(language)}.md")

    def hints(self, language: str = "en") -> list[str]:
        return _hints(self._text(f"hints.{exercise_language(language)}.md"))

    @cached_property
    def starter(self) -> str:
        return self._text("starter.py")

    @cached_property
    def solution(self) -> str:
        return self._text("solution.py")

    @cached_property
    def sample_tests(self) -> str:
        return self._text("test_sample.py")

    def symptom_in(self, language: str) -> JsonValue:
        """The symptom with its words in `language`."""
        return figure_in(self.symptom, self.translate(language))

    def translate(self, language: str) -> Translator:
        """Turns check titles, message templates and sentences of mistakes into `language`."""
        return translator(language, self.root / "locale")

    def _text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Shelf:
    """All exercises of some roots, in course order, the folders they are written in, and what is wrong with folders."""

    exercises: dict[str, Exercise]
    folders: dict[str, Path]
    problems: list[Problem]


def configured_roots() -> list[Path]:
    """Where exercises are: FIVE_LINES_EXERCISES, folders joined as in PATH; else those of the project."""
    named = os.environ.get("FIVE_LINES_EXERCISES", "").split(os.pathsep)
    return [Path(root).absolute() for root in named if root] or [DEFAULT_ROOT]  # judging goes to other folders


def load_exercises(roots: Iterable[Path] = (DEFAULT_ROOT,)) -> Shelf:
    """Read every exercise folder of `roots`. A folder with a problem is left out."""
    found: list[tuple[Path, Exercise]] = []
    problems: list[Problem] = []
    for folder in exercise_folders(roots):
        try:
            found.append((folder, read_exercise(folder)))
        except Broken as error:
            problems.append(Problem(folder, error.file, error.cause))
    return arranged(found, problems)


def arranged(found: Iterable[tuple[Path, Exercise]], problems: Iterable[Problem]) -> Shelf:
    """A shelf in course order. Of two exercises of the same id the second is a problem."""
    first: dict[str, tuple[Path, Exercise]] = {}
    seconds: list[Problem] = []
    for folder, exercise in found:
        if exercise.id in first:
            seconds.append(Problem(folder, "exercise.toml", f"another folder is named {exercise.id} too"))
        else:
            first[exercise.id] = folder, exercise
    ordered = sorted(first.values(), key=lambda pair: (pair[1].number, pair[1].id))
    return Shelf(
        exercises={exercise.id: exercise for _, exercise in ordered},
        folders={exercise.id: folder for folder, exercise in ordered},
        problems=[*problems, *seconds],
    )


def read_exercise(folder: Path) -> Exercise:
    """Read one exercise folder; raises Broken with the first thing that is wrong with it."""
    try:
        return _read(folder)
    except (RecursionError, MemoryError, ValueError) as error:  # what nests ten thousand deep, and the like
        raise Broken("", f"a file of it cannot be read: {type(error).__name__}") from None


def _read(folder: Path) -> Exercise:
    if not is_id(folder.name):
        raise Broken("", "the folder's name must be lower-case words joined by hyphens")
    description = _description(folder)
    for name in _CODE_FILES:
        _parse(folder, name)
    for language in EXERCISE_LANGUAGES:
        if language != "en":
            _catalogue(folder, language)
        if not _hints(_text(folder, f"hints.{language}.md")):
            raise Broken(f"hints.{language}.md", "there is no hint in it")
    for path in _python_files(folder, "correct"):
        _text(folder, f"correct/{path.name}")
    return Exercise(
        id=folder.name,
        root=folder,
        number=description.number,
        difficulty=description.difficulty,
        functions=tuple(description.functions),
        chapter=description.chapter,
        prerequisites=tuple(description.prerequisites),
        limits=Limits(**description.limits.model_dump()),
        hash=_content_hash(folder, "*"),
        mistakes=_mistakes(folder),
        failed=_failed(folder),
        correct=tuple(_python_files(folder, "correct")),
        symptom=_symptom(folder),
        study=_study(folder),
        _titles={language: _title(folder, language) for language in EXERCISE_LANGUAGES},
    )


def is_id(name: str) -> bool:
    return _ID.fullmatch(name) is not None


def exercise_folders(roots: Iterable[Path]) -> list[Path]:
    """The folders of each root, in the order of their names."""
    listed = [sorted(root.iterdir()) for root in roots if root.is_dir()]
    return [path for paths in listed for path in paths if path.is_dir() and path.name[0] not in "._"]


def is_content(name: str) -> bool:
    """Whether a file or folder of this name belongs to an exercise: editors and Python leave others beside them."""
    return not (name.startswith(".") or name.endswith("~") or name == "__pycache__")


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


def _symptom(folder: Path) -> dict[str, JsonValue] | None:
    if not (folder / _SYMPTOM).exists():
        return None
    try:
        return _Symptom.model_validate_json(_text(folder, _SYMPTOM)).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise Broken(_SYMPTOM, f"`{place}`: {first['msg']}" if place else first["msg"]) from None


def _study(folder: Path) -> Study | None:
    if not (folder / _STUDY).exists():
        return None
    sentence = _sentence(_parse(folder, _STUDY))
    if not sentence:
        raise Broken(_STUDY, "the docstring must say what it does with the learner's code")
    return Study(sentence, _text(folder, _STUDY))


def _sentence(tree: ast.Module) -> str:
    """The first paragraph of a program's docstring, in one line."""
    sentence = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
    sentence.encode()  # a lone surrogate, escaped, is no text that could be told: a ValueError
    return sentence


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
            sentences[mistake] = _sentence(tree)
            if not sentences[mistake]:
                raise Broken(name, "the docstring must say what happens with this mistake and why")
    for mistake, paths in files.items():
        if mistake not in sentences:
            raise Broken(f"wrong/{paths[0].name}", f"a variant of {mistake}, whose own file is missing")
    return {name: Mistake(name, sentences[name], tuple(files[name])) for name in files}


def write_failed(exercise: Exercise, failed: dict[str, list[str]]) -> None:
    """Keep which checks each wrong program fails: a mistake is then looked for only where it can show."""
    kept = {"programs": _content_hash(exercise.root, "*.py"), "failed": failed}
    (exercise.root / _FAILED).write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _failed(folder: Path) -> dict[str, frozenset[str]]:
    """What `write_failed` kept; nothing if any program has changed since."""
    try:
        kept = json.loads((folder / _FAILED).read_text(encoding="utf-8"))
        if kept["programs"] != _content_hash(folder, "*.py"):
            return {}
        return {name: frozenset(checks) for name, checks in kept["failed"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def _content_hash(folder: Path, pattern: str) -> str:
    """Names the content of the folder's files, so that a verdict says what it was judged by."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob(pattern)):
        relative = path.relative_to(folder)
        name = relative.as_posix()
        if path.is_file() and all(map(is_content, relative.parts)) and name != _FAILED:
            content = path.read_bytes()
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]
