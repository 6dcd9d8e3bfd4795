"""What a suite says, read without running it: titles, messages that its checks may show, words of its figures."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from judge.language import WORDS_OF_FIGURES

# Where each of the kit's functions takes its message.
_TEMPLATE_AT = {"expect": 1, "expect_close": 2}
_MAX_DEPTH = 4  # of helpers that hand a message on


@dataclass
class SuiteText:
    """Titles, messages and figures' words of a suite, each with its line, and the lines of what should be messages."""

    titles: dict[str, int] = field(default_factory=dict)
    untitled: dict[str, int] = field(default_factory=dict)  # checks by their ids
    messages: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)  # of its figures
    formatted: list[int] = field(default_factory=list)  # f-strings: nothing to look a translation up with
    asserts: list[int] = field(default_factory=list)  # in checks: they tell the learner nothing
    constants: set[str] = field(default_factory=set)  # every string in it


def read_suite(path: Path) -> SuiteText:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    suite = SuiteText()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            docstring = (ast.get_docstring(node) or "").strip()
            if docstring:
                suite.titles[docstring.splitlines()[0]] = node.lineno
            else:
                suite.untitled[node.name.removeprefix("test_")] = node.lineno
            suite.asserts += [inner.lineno for inner in ast.walk(node) if isinstance(inner, ast.Assert)]
    suite.constants = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    suite.words = dict(_words_of_figures(tree))
    reader = _Messages(tree)
    for call in reader.calls(_TEMPLATE_AT):
        for expression in _argument(call, _TEMPLATE_AT[_name(call)], "template"):
            for found in reader.texts(expression, call, 0):
                if isinstance(found, str):
                    suite.messages.setdefault(found, expression.lineno)
                else:
                    suite.formatted.append(found)
    return suite


def _words_of_figures(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The strings called `label` and the like, in dicts or as arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            named = [
                (key.value, value)
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
            ]
        elif isinstance(node, ast.Call):
            named = [(keyword.arg, keyword.value) for keyword in node.keywords]
        else:
            continue
        for name, value in named:
            if name in WORDS_OF_FIGURES and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value, value.lineno


class _Messages:
    """Follows an expression to the string constants it may be: through names, choices, and arguments of helpers."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._function_of: dict[ast.AST, ast.FunctionDef] = {}
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    self._function_of[node] = function  # the innermost is walked last

    def calls(self, names: dict[str, int] | set[str]) -> Iterator[ast.Call]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and _name(node) in names:
                yield node

    def texts(self, node: ast.expr, place: ast.AST, depth: int) -> Iterator[str | int]:
        """Texts that `node` may be, or the line of one that is put together before it can be translated."""
        match node:
            case ast.Constant(value=str() as text):
                yield text
            case ast.JoinedStr():
                yield node.lineno
            case ast.IfExp():
                yield from self.texts(node.body, place, depth)
                yield from self.texts(node.orelse, place, depth)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                for first in self.texts(left, place, depth):
                    for second in self.texts(right, place, depth):
                        if isinstance(first, str) and isinstance(second, str):
                            yield first + second
            case ast.Subscript(value=ast.Dict(values=values)):
                for value in values:
                    yield from self.texts(value, place, depth)
            case ast.Subscript(value=ast.Name(id=name)) | ast.Name(id=name) if depth < _MAX_DEPTH:
                yield from self._named(name, place, depth + 1)

    def _named(self, name: str, place: ast.AST, depth: int) -> Iterator[str | int]:
        function = self._function_of.get(place)
        parameters = [] if function is None else [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)]
        if function is not None and name in parameters:
            for call in self.calls({function.name}):
                for given in _argument(call, parameters.index(name), name):
                    yield from self.texts(given, call, depth)
            return
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
                for value in node.value.values if isinstance(node.value, ast.Dict) else [node.value]:
                    yield from self.texts(value, node, depth)


def _name(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _argument(call: ast.Call, position: int, name: str) -> list[ast.expr]:
    """The argument of `call` that is its `position`th or is named `name`."""
    named = [keyword.value for keyword in call.keywords if keyword.arg == name]
    return named or call.args[position : position + 1]
