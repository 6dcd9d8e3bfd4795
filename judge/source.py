"""Reads a learner's file without running it, and says what keeps it from being judged."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable

from judge.program import SOLUTION_FILE, packed
from judge.text import excerpt
from judge.verdict import Message

MAX_SOURCE_BYTES = 64 * 1024
MAX_PROGRAM_BYTES = 2 * 2**20  # compiled; some short files grow without bound


class Rejected(Exception):
    """The file cannot be judged; `line` is where, if anywhere."""

    def __init__(self, message: Message, line: int | None = None) -> None:
        super().__init__(str(message))
        self.message = message
        self.line = line


def decoded(source: bytes) -> str:
    """The file as text; raises Rejected when it is too large or not UTF-8."""
    if len(source) > MAX_SOURCE_BYTES:
        template = "The file is larger than {limit_kib} KiB, and no larger one can be judged."
        raise Rejected(Message(template=template, values={"limit_kib": MAX_SOURCE_BYTES // 1024}))
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        template = "Line {line} is not UTF-8 text. Save the file as UTF-8."
        raise Rejected(Message(template=template, values={"line": line}), line) from None


def check(text: str, functions: Iterable[str]) -> None:
    """Raises Rejected when `text` is not Python or does not define all of `functions` at its top level."""
    bound = _top_level_names(_parsed(text))
    missing = [] if "*" in bound else [name for name in functions if name not in bound]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        raise Rejected(Message(template="The file does not define {names}.", values={"names": names}))


def _parsed(text: str) -> ast.Module:
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Rejected(Message(template="The file holds a null byte, which Python does not allow."), line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `"\d"` and the like: the learner's business
            tree = ast.parse(text)
        program = packed(text, SOLUTION_FILE)  # finds `return` outside a function and the like
    except SyntaxError as error:
        line = error.lineno or 1
        template = "Line {line} is not valid Python: {cause}."
        values = {"line": line, "cause": excerpt(error.msg, 400)}
        raise Rejected(Message(template=template, values=values), line) from None
    except (RecursionError, MemoryError, ValueError):  # a ValueError: what marshal finds too deep
        raise Rejected(TOO_DEEP) from None
    if len(program) > MAX_PROGRAM_BYTES:
        template = "The file makes a program of more than {limit_mib} MiB."
        raise Rejected(Message(template=template, values={"limit_mib": MAX_PROGRAM_BYTES // 2**20}))
    return tree


# Also said when the reader's process dies on such a file.
TOO_DEEP = Message(template="The file is nested too deeply to be read.")


def _top_level_names(tree: ast.Module) -> set[str]:
    """All names that the file may bind when it runs, in whatever way; "*" when it imports who knows what."""
    names: set[str] = set()
    for node in _outside_functions(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.split(".")[0])
    return names


def _outside_functions(tree: ast.Module) -> Iterable[ast.AST]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
