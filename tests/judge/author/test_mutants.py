"""Which changes the operators make, and that what they make is a program."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from judge.author.mutants import mutants
from judge.exercise import DEFAULT_ROOT

# A line of a function, and lines that mutants must have in its place.
CASES = {
    "total = a + b": ["total = a - b", "pass"],
    "total = a @ b": ["total = a * b"],
    "total += b": ["total -= b", "total = b"],
    "total = -a": ["total = a"],
    "return a < b": ["return a <= b", "return a > b", "return None"],
    "return a <= b": ["return a < b", "return a >= b"],
    "return a == b": ["return a != b"],
    "return a is not b": ["return a is b"],
    "return a not in b": ["return a in b"],
    "return a < b < 3": ["return a <= b < 3", "return a < b <= 3", "return a < b < 4", "return a < b < 2"],
    "return a and b": ["return a or b", "return True and b", "return a and True"],
    "return not a": ["return a"],
    "return 1 if a else 0.5": ["return 1", "return 0.5", "return 0 if a else 0.5", "return 1 if a else 1.0"],
    "return True": ["return False"],
    "return 'key'": ["return 'key_'"],
    "return a[1:b]": ["return a[:b]", "return a[1:]"],
    "return a, b": ["return b, a"],
    "return a.detach()": ["return a"],
    "return a.clone().cpu()": ["return a.clone()", "return a.cpu()"],
    "return float(a)": ["return a"],
    "return max(a, b)": ["return min(a, b)", "return max(b, a)", "return max(a)"],
    "return torch.zeros(a)": ["return torch.ones(a)", "return a"],
    "return f(a, b=1)": ["return f(a)", "return f(a, b=2)", "return f(a, b=0)"],
    "return f(a=a, b=b)": ["return f(b=b)", "return f(a=a)"],
    "return [x for x in a if x > b]": ["return [x for x in a if True]", "return [x for x in a if x >= b]"],
    "a.train()": ["a.eval()", "pass"],
    "with torch.no_grad(): f(a)": ["if True: f(a)", "with torch.enable_grad(): f(a)", "with torch.no_grad(): pass"],
    "while a: f(b)": ["while not (a): f(b)", "pass", "while a: pass"],
    "raise ValueError('as it is')": ["pass"],
}


def changed_lines(line: str) -> set[str]:
    source = f"import torch\n\n\ndef f(a, b):\n    {line}\n"
    return {mutant.source.splitlines()[4].strip() for mutant in mutants(source)}


@pytest.mark.parametrize("line", CASES)
def test_a_line_is_changed_into(line: str) -> None:
    missing = set(CASES[line]) - {changed.replace("[ :", "[:") for changed in changed_lines(line)}
    assert not missing, changed_lines(line)


@pytest.mark.parametrize(
    "line", ["'''Said.'''", "import torch", "pass", "x: int", "raise ValueError('said', 1)", "return f'{a} {1}'"]
)
def test_what_no_contract_speaks_of_is_left_alone(line: str) -> None:
    assert changed_lines(line) <= {"pass", "return None"}


def test_neighbours_are_swapped_unless_their_order_cannot_matter() -> None:
    source = "def f(a):\n    a.backward()\n    a.step()\n    b = 0\n    c = a + 1\n    return b + c\n"
    swapped = [mutant.change for mutant in mutants(source) if len(mutant.change) == 4]
    assert swapped == [
        ("-    a.backward()", "-    a.step()", "+    a.step()", "+    a.backward()"),
    ]


def test_blocks_are_swapped_whole() -> None:
    source = "def f(a):\n    for x in a:\n        x.one()\n    a.two()  # done\n"
    expected = "def f(a):\n    a.two()\n    for x in a:\n        x.one()  # done\n"
    assert expected in [mutant.source for mutant in mutants(source)]


def test_a_decorator_and_a_multi_line_header_are_lost() -> None:
    source = (
        "import torch\n\n\n@torch.no_grad()\ndef f(a):\n    with (\n        open(a) as b,\n    ):\n        return b\n"
    )
    sources = [mutant.source for mutant in mutants(source)]
    assert source.replace("@torch.no_grad()", "# no decorator") in sources
    assert source.replace("with (\n        open(a) as b,\n    ):", "if True:") in sources


def test_characters_of_several_bytes() -> None:
    source = 'def f(a):\n    return {"损失": a + 1}  # 早\n'
    assert 'def f(a):\n    return {"损失": a - 1}  # 早\n' in [mutant.source for mutant in mutants(source)]


@pytest.mark.parametrize("path", sorted(DEFAULT_ROOT.glob("*/solution.py")), ids=lambda path: path.parent.name)
def test_mutants_of_the_references(path: Path) -> None:
    source = path.read_text()
    made = mutants(source)
    assert len(made) >= 10
    trees = {ast.dump(ast.parse(mutant.source)) for mutant in made}
    assert len(trees) == len(made)
    assert ast.dump(ast.parse(source)) not in trees
    for mutant in made:
        removed = [line[1:] for line in mutant.change if line[0] == "-"]
        assert removed == source.splitlines()[mutant.line - 1 : mutant.line - 1 + len(removed)]
        assert f"\n{mutant.change[0]}\n" in mutant.diff(source, "solution.py") or len(mutant.change) > 2
