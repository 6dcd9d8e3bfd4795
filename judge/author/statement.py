"""Runs the Python blocks of a statement, in order, as a reader would who has the reference at hand; and the study."""

from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import io
import json
import signal
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from judge.author.trial import quiet

_LIMIT_S = 30


def block_problems(folder: Path, file: str, functions: tuple[str, ...]) -> list[str]:
    """What is wrong with the blocks of one statement. For a process of its own."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(_LIMIT_S)
    solution = types.ModuleType("solution")
    text = (folder / "solution.py").read_text(encoding="utf-8")
    blocks = list(_blocks((folder / file).read_text(encoding="utf-8")))
    problems = []
    with tempfile.TemporaryDirectory() as work, contextlib.chdir(work), quiet():
        exec(compile(text, "solution.py", "exec"), solution.__dict__)  # noqa: S102 - the exercise's own
        names = dict(solution.__dict__)
        for line, code in blocks:
            try:
                _run(code, names, functions)
            except Exception as error:
                problems.append(f"the block at line {line} does not run: {type(error).__name__}: {error}")
    signal.alarm(0)
    return problems


def study_problem(folder: Path) -> str:
    """What is wrong with the study when it runs after the reference, or "". For a process of its own."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(_LIMIT_S)
    names: dict[str, object] = {}
    printed = io.StringIO()
    programs = {file: (folder / file).read_text(encoding="utf-8") for file in ("solution.py", "study.py")}
    with tempfile.TemporaryDirectory() as work, contextlib.chdir(work), quiet(), contextlib.redirect_stdout(printed):
        for file, text in programs.items():
            try:
                exec(compile(text, file, "exec"), names)  # noqa: S102 - the exercise's own
            except Exception as error:
                return f"after solution.py it does not run: {type(error).__name__}: {error}"
    signal.alarm(0)
    last = (printed.getvalue().splitlines() or [""])[-1]
    try:
        figure = json.loads(last, parse_constant=_no_number)
    except ValueError:
        figure = None
    if not isinstance(figure, dict) or figure.keys() != {"kind", "data"}:
        return 'the last line that it prints must be a figure: {"kind": ..., "data": {...}} as JSON'
    return ""


def _no_number(name: str) -> float:
    """NaN and the infinities are no JSON: the page could not read them."""
    raise ValueError(name)


def _blocks(markdown: str) -> Iterator[tuple[int, str]]:
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type == "fence" and token.info.split()[:1] in (["python"], ["pycon"]):
            assert token.map is not None
            yield token.map[0] + 1, token.content


def _run(code: str, names: dict[str, object], functions: tuple[str, ...]) -> None:
    if ">>> " in code:
        _run_session(code, names)
        return
    tree = ast.parse(code)
    asked = [node for node in tree.body if getattr(node, "name", None) in functions]
    for node in asked:  # what the learner is to write: it must not take the reference's place in the later blocks
        tree.body.remove(node)
        shown: dict[str, object] = dict(names)
        exec(compile(ast.Module([node], []), "statement", "exec"), shown)  # noqa: S102 - the exercise's own
        name = node.name  # type: ignore[attr-defined]
        if _parameters(shown[name]) != _parameters(names[name]):
            raise TypeError(
                f"`{name}` takes {_parameters(shown[name])} here and {_parameters(names[name])} in solution.py"
            )
    exec(compile(tree, "statement", "exec"), names)  # noqa: S102 - the exercise's own


def _run_session(code: str, names: dict[str, object]) -> None:
    session = doctest.DocTestParser().get_doctest(code, names, "statement", None, 0)
    report = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    if runner.run(session, out=report.write, clear_globs=False).failed:
        raise ValueError(" ".join(report.getvalue().split()))
    names.update(session.globs)


def _parameters(function: object) -> str:
    """A function's parameters and defaults; annotations do not count."""
    if not callable(function):
        return "nothing"
    signature = inspect.signature(function)
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def _too_long(*_: object) -> None:
    raise TimeoutError(f"it took more than {_LIMIT_S} s")
