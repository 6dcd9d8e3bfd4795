"""Programs that differ from a reference in one small thing, the way a slip of the hand would have it.

The operators are our own: the libraries there are (mutmut, cosmic-ray) run a test command of theirs, and know neither
swapped statements nor a lost `detach`, `no_grad` or keyword, which is what training loops go wrong with. Each operator
finds places in the syntax tree and says which stretch of the text to replace by what, so that comments and form stay
and a survivor is read as a diff.
"""

from __future__ import annotations

import ast
import difflib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """`function` is the innermost it is in, `change` the lines it takes away, with -, and those it writes, with +."""

    function: str
    change: tuple[str, ...]
    source: str
    line: int

    def diff(self, original: str, name: str) -> str:
        lines = difflib.unified_diff(original.splitlines(), self.source.splitlines(), name, "mutant", n=2, lineterm="")
        return "\n".join(lines)


Edit = tuple[int, int, str]  # from byte, to byte, and what to write there


def mutants(source: str) -> list[Mutant]:
    """All mutants of a program, each once, in the order of its lines."""
    text = _Text(source)
    seen = {ast.dump(text.tree)}
    found = []
    for node in ast.walk(text.tree):
        for edit in _edits(node, text):
            mutated = text.edited(edit)
            tree = _parsed(mutated)
            if tree is not None and (dump := ast.dump(tree)) not in seen:
                seen.add(dump)
                line = text.data.count(b"\n", 0, edit[0]) + 1
                found.append(Mutant(text.function_at(line), text.change(edit), mutated, line))
    return sorted(found, key=lambda mutant: mutant.line)


class _Text:
    """A program as bytes, which is what the syntax tree counts in."""

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        self.data = source.encode()
        self._starts = [0, *itertools.accumulate(len(line) for line in self.data.splitlines(keepends=True))]
        self.modules = {
            alias.asname or alias.name.split(".")[0]
            for node in ast.walk(self.tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        self.untouched = set(_untouched(self.tree))
        self.dropped = {node.value for node in ast.walk(self.tree) if isinstance(node, ast.Expr)}

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, (ast.expr, ast.stmt, ast.keyword, ast.arg))
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def between(self, left: ast.AST, right: ast.AST) -> tuple[int, str]:
        """What stands between two nodes, and where it begins."""
        start, end = self.span(left)[1], self.span(right)[0]
        return start, self.data[start:end].decode()

    def edited(self, edit: Edit) -> str:
        start, end, new = edit
        return (self.data[:start] + new.encode() + self.data[end:]).decode()

    def change(self, edit: Edit) -> tuple[str, ...]:
        """All lines that an edit touches, before and after it."""
        start, end, new = edit
        begin = self.data.rfind(b"\n", 0, start) + 1
        stop = self.data.find(b"\n", end)
        stop = len(self.data) if stop < 0 else stop
        before = self.data[begin:stop].decode()
        after = self.data[begin:start].decode() + new + self.data[end:stop].decode()
        return (*(f"-{line}" for line in before.splitlines()), *(f"+{line}" for line in after.splitlines()))

    def function_at(self, line: int) -> str:
        name = ""
        for node in ast.walk(self.tree):  # the innermost is walked last
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.lineno <= line <= (node.end_lineno or 0):
                name = node.name
        return name


def _untouched(tree: ast.Module) -> Iterator[ast.AST]:
    """Docstrings, annotations, names in imports, f-strings and the texts of errors: no contract speaks of them."""
    for node in ast.walk(tree):
        match node:
            case ast.Module(body=body) | ast.FunctionDef(body=body) | ast.ClassDef(body=body):
                if ast.get_docstring(node) is not None:
                    yield from ast.walk(body[0])
                if isinstance(node, ast.FunctionDef) and node.returns is not None:
                    yield from ast.walk(node.returns)
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield from ast.walk(annotation)
            case ast.JoinedStr():
                yield from ast.walk(node)
            case ast.Raise(exc=ast.Call() as error):
                yield from ast.walk(error)


def _edits(node: ast.AST, text: _Text) -> Iterator[Edit]:
    if node in text.untouched:
        return
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.For, ast.While, ast.If, ast.With, ast.Try)):
        yield from _statements(node, text)
    if isinstance(node, ast.expr):
        yield from _expression(node, text)
    match node:
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            for decorator in decorators:
                start, end = text.span(decorator)
                yield start - 1, end, "# no decorator"
        case ast.With(items=items, body=body):
            yield text.span(node)[0], text.span(body[0])[0], _header("if True:", text, items[-1].context_expr, body[0])
        case ast.If(test=test) | ast.While(test=test):
            yield *text.span(test), f"not ({text.of(test)})"
        case ast.comprehension(ifs=conditions):
            for condition in conditions:
                yield *text.span(condition), "True"
        case ast.AugAssign(target=target, op=op, value=value):
            yield from _operator(_ARITHMETIC, op, text, target, value, "=")
            yield *text.span(node), f"{text.of(target)} = {text.of(value)}"


def _header(new: str, text: _Text, last: ast.AST, first: ast.AST) -> str:
    """`new` in place of a block's header, with whatever stood between its colon and the first statement."""
    _, rest = text.between(last, first)
    return new + rest[rest.index(":") + 1 :]


# --- statements ------------------------------------------------------------------------------------------------------

_FIXED = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass, ast.Global, ast.Nonlocal)
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def _statements(node: ast.AST, text: _Text) -> Iterator[Edit]:
    """Each statement dropped, each pair of neighbours swapped, each `return` without its value."""
    for body in (getattr(node, "body", []), getattr(node, "orelse", []), getattr(node, "finalbody", [])):
        movable = [statement for statement in body if statement not in text.untouched]
        for statement in movable:
            if isinstance(statement, ast.Return):
                if statement.value is not None:
                    yield *text.span(statement.value), "None"
            elif not isinstance(statement, _FIXED):
                yield *text.span(statement), "pass"
        for first, second in itertools.pairwise(movable):
            staying = any(isinstance(statement, (*_FIXED, *_LEAVING)) for statement in (first, second))
            if not staying and not _independent(first, second):
                yield _swapped(first, second, text)


# Calls that change nothing and whose result follows from their arguments.
_PURE_CALLS = {"len", "int", "float", "bool", "range", "list", "tuple", "dict", "set", "sorted", "min", "max", "zeros"}


def _independent(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether the order of two statements cannot matter: one is a plain assignment of names the other does not use."""
    return any(
        _is_plain(one) and not (_names(one, ast.Store) & _names(other)) and not (_names(other, ast.Store) & _names(one))
        for one, other in ((first, second), (second, first))
    )


def _is_plain(statement: ast.stmt) -> bool:
    if not isinstance(statement, (ast.Assign, ast.AugAssign)):
        return False
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in _PURE_CALLS:
                return False
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            return False
    return True


def _names(statement: ast.stmt, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, context)}


# --- expressions -----------------------------------------------------------------------------------------------------

_ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "//", "**": "*", "@": "*"}
_COMPARISONS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
    "is not": ("is",),
    "is": ("is not",),
    "not in": ("in",),
    "in": ("not in",),
}
_SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or",
}  # fmt: skip
# Names taken for each other: of built-in functions, and of what torch, math and lists have.
_BUILT_IN = [("min", "max"), ("any", "all")]
_ATTRIBUTES = [
    *_BUILT_IN, ("zeros", "ones"), ("zeros_like", "ones_like"), ("sum", "mean"), ("mean", "median"), ("floor", "ceil"),
    ("argmax", "argmin"), ("sin", "cos"), ("no_grad", "enable_grad"), ("train", "eval"), ("append", "extend"),
    ("clip_grad_norm_", "clip_grad_value_"),
]  # fmt: skip


def _taken_for(name: str, pairs: list[tuple[str, str]]) -> Iterator[str]:
    for first, second in pairs:
        if name in (first, second):
            yield second if name == first else first


def _expression(node: ast.expr, text: _Text) -> Iterator[Edit]:
    match node:
        case ast.Constant(value=value):
            for other in _other_constants(value):
                yield *text.span(node), other
        case ast.BinOp(left=left, op=op, right=right):
            yield from _operator(_ARITHMETIC, op, text, left, right)
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield *text.span(node), text.of(operand)
        case ast.BoolOp(op=op, values=values):
            for left, right in itertools.pairwise(values):
                yield from _operator({"and": "or", "or": "and"}, op, text, left, right)
            for condition in values:  # left out
                yield *text.span(condition), "True" if isinstance(op, ast.And) else "False"
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for first, comparison, second in zip([left, *comparators], ops, comparators, strict=False):
                symbol = _SYMBOLS[type(comparison)]
                for other in _COMPARISONS[symbol]:
                    yield from _operator({symbol: other}, comparison, text, first, second)
        case ast.IfExp(body=body, orelse=orelse):
            yield *text.span(node), text.of(body)
            yield *text.span(node), text.of(orelse)
        case ast.Call():
            yield from _call(node, text)
        case ast.Tuple(elts=[first, second, *_], ctx=ast.Load()) | ast.List(elts=[first, second, *_], ctx=ast.Load()):
            yield _swapped(first, second, text)
        case ast.Slice(lower=lower, upper=upper):
            for bound in (lower, upper):
                if bound is not None:
                    yield *text.span(bound), ""
        case ast.Name(id=name, ctx=ast.Load()):
            for other in _taken_for(name, _BUILT_IN):
                yield *text.span(node), other
        case ast.Attribute(attr=name, ctx=ast.Load()):
            _, end = text.span(node)
            for other in _taken_for(name, _ATTRIBUTES):
                yield end - len(name), end, other


def _other_constants(value: object) -> Iterator[str]:
    match value:
        case bool():
            yield str(not value)
        case int():
            yield str(value + 1)
            yield f"({value - 1})" if value < 1 else str(value - 1)
        case float():
            yield repr(2 * value if value else 1.0)
            yield repr(value / 2 if value else -1.0)
        case str():
            yield repr(value + "_")


def _operator(
    table: dict[str, str], op: ast.AST, text: _Text, left: ast.expr, right: ast.expr, suffix: str = ""
) -> Iterator[Edit]:
    """The operator between two operands exchanged by the table's."""
    symbol = _SYMBOLS.get(type(op), "")
    if symbol not in table:
        return
    start, between = text.between(left, right)
    pattern = re.escape(symbol).replace(r"\ ", r"\s+") + re.escape(suffix)
    place = re.search(rf"\b{pattern}\b" if symbol.isalpha() else pattern, between)
    if place is not None:  # not where a comment or parenthesis hides it
        yield (
            start + len(between[: place.start()].encode()),
            start + len(between[: place.end()].encode()),
            (table[symbol] + suffix),
        )


def _call(node: ast.Call, text: _Text) -> Iterator[Edit]:
    """Arguments swapped or left out, and the call itself: `x.detach()` and `float(x)` become `x`."""
    if len(node.args) >= 2:
        yield _swapped(node.args[0], node.args[1], text)
        yield text.span(node.args[-2])[1], text.span(node.args[-1])[1], ""
    for keyword in node.keywords:
        start, end = text.span(keyword)
        _, call_end = text.span(node)
        after = re.match(rb"\s*,\s*", text.data[end:call_end])
        before = re.search(rb",\s*$", text.data[:start])
        if after is not None:
            yield start, end + after.end(), ""
        else:
            yield before.start() if before else start, end, ""
    if node in text.dropped:  # a statement of its own, which is dropped as one
        return
    function = node.func
    if isinstance(function, ast.Attribute):
        base = function.value
        root = base
        while isinstance(root, ast.Attribute):
            root = root.value
        if not (isinstance(root, ast.Name) and root.id in text.modules):
            yield *text.span(node), text.of(base)
            return
    if len(node.args) == 1 and not isinstance(node.args[0], (ast.GeneratorExp, ast.Starred)):
        argument = text.of(node.args[0])
        yield *text.span(node), argument if isinstance(node.args[0], _ATOMS) else f"({argument})"


_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.ListComp, ast.Dict)


def _swapped(first: ast.AST, second: ast.AST, text: _Text) -> Edit:
    _, between = text.between(first, second)
    return text.span(first)[0], text.span(second)[1], text.of(second) + between + text.of(first)


def _parsed(source: str) -> ast.Module | None:
    try:
        tree = ast.parse(source)
        compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return tree
