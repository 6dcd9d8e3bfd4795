"""Folders that are bad in one way each, and the findings they must give: those, and no other."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.author.judging import Judging
from judge.author.verify import Report, verify
from judge.exercise import load_exercises

SEEDS = [1, 2, 3, 4]
BY_HAND = "wrong/all_columns_together__by_hand.py"


def verified(folder: Path, judging: Judging, seeds: list[int]) -> Report:
    shelf = load_exercises([folder.parent])
    assert not shelf.problems
    return verify(shelf.exercises[folder.name], shelf, judging, seeds, lambda *_: None)


def replaced(file: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new))

    return edit


def added(file: str, text: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / file
        path.write_text((path.read_text() if path.exists() else "") + text)

    return edit


def translated(*texts: str) -> Callable[[Path], None]:
    return added("locale/zh.po", "".join(f'\nmsgid "{text}"\nmsgstr "{text}"\n' for text in texts))


def check(name: str, body: str, title: str = "Another check") -> Callable[[Path], None]:
    """Another check in the hidden suite, its title translated."""
    docstring = f'    """{title}"""\n' if title else ""
    suite = f"\n\nfrom judge.kit import expect\n\n\ndef test_{name}(learner, reference, rng):\n{docstring}    {body}\n"

    def edit(folder: Path) -> None:
        added("test_hidden.py", suite)(folder)
        if title:
            translated(title)(folder)

    return edit


def program(file: str, *lines: str, sentence: str = "") -> Callable[[Path], None]:
    """A program of those lines; its sentence translated."""

    def edit(folder: Path) -> None:
        docstring = f'"""{sentence}"""\n\n\n' if sentence else ""
        body = "".join(f"    {line}\n" for line in lines)
        (folder / file).write_text(f"{docstring}def standard_columns(x):\n{body}")
        if sentence:
            translated(sentence)(folder)

    return edit


def neighbour(number: int, id: str) -> Callable[[Path], None]:
    """Another exercise on the shelf."""

    def edit(folder: Path) -> None:
        shutil.copytree(folder, folder.parent / id)
        replaced("exercise.toml", "number = 1", f"number = {number}")(folder.parent / id)

    return edit


ANSWER = "got = learner.standardised(x=draw(rng))"
TITLE = "The input stays as it was"
RIGHT = "(x - x.mean(0)) / x.std(0, correction=0)"
COLUMNS = "The columns do not come out as they should."

# What is done to a good folder, and the findings it gives: file and kind. Those of the first kind need no judging.
Bad = dict[str, tuple[list[Callable[[Path], None]], set[tuple[str, str]]]]
READ: Bad = {
    "a single hint": (
        [replaced("hints.en.md", "\n---\n", "\n"), replaced("hints.zh.md", "\n---\n", "\n")],
        {("hints.en.md", "hints"), ("hints.zh.md", "hints")},
    ),
    "a hint that is not translated": ([added("hints.en.md", "---\nMore.\n")], {("hints.zh.md", "hints")}),
    "an unknown prerequisite": (
        [replaced("exercise.toml", "prerequisites = []", 'prerequisites = ["nothing"]')],
        {("exercise.toml", "place")},
    ),
    "an unknown section of the chapter": (
        [replaced("exercise.toml", '"data"  ', '"nowhere"  ')],
        {("exercise.toml", "place")},
    ),
    "a starter without the function": (
        [replaced("starter.py", "def standard_columns", "def standard_column")],
        {("starter.py", "program")},
    ),
    "a right answer that is not Python": (
        [added("correct/column_by_column.py", "return return\n")],
        {("correct/column_by_column.py", "program")},
    ),
    "a check without a title": (
        [replaced("test_hidden.py", f'    """{TITLE}"""\n', "")],
        {("test_hidden.py", "title"), ("locale/zh.po", "unused")},
    ),
    "a title that is not translated": (
        [replaced("test_hidden.py", TITLE, "The input is left alone")],
        {("locale/zh.po", "untranslated"), ("locale/zh.po", "unused")},
    ),
    "a message that is not translated": (
        [replaced("locale/zh.po", 'msgstr "`x` 被就地修改了，而调用者还要用它。"', 'msgstr ""')],
        {("locale/zh.po", "untranslated")},
    ),
    "a sentence that is not translated": (
        [replaced("wrong/in_place.py", "The input was", "x was")],
        {("locale/zh.po", "untranslated"), ("locale/zh.po", "unused")},
    ),
    "a word of a figure that is not translated": (
        [added("symptom.json", '{"kind": "lines", "data": {"series": [], "x_label": "epoch"}}')],
        {("locale/zh.po", "untranslated")},
    ),
    "a translation that is only a guess": (
        [replaced("locale/zh.po", f'msgid "{TITLE}"', f'#, fuzzy\nmsgid "{TITLE}"')],
        {("locale/zh.po", "untranslated")},
    ),
    "a translation of nothing": ([translated("Said by nobody")], {("locale/zh.po", "unused")}),
    "a translation with other values": (
        [replaced("locale/zh.po", 'msgstr "`x` 被就地', 'msgstr "{name} 被就地')],
        {("locale/zh.po", "translation")},
    ),
    "an assert instead of a message": (
        [check("plain", ANSWER + '\n    assert abs(got["answer"].mean()) < 9 and got["input"].std() > 1.1')],
        {("test_hidden.py", "message")},
    ),
    "a message that speaks of the suite": (
        [replaced(file, COLUMNS, "test_columns failed.") for file in ("test_hidden.py", "locale/zh.po")],
        {("test_hidden.py", "leak")},
    ),
    "a message with a lonely brace": (
        [replaced("test_hidden.py", "`x` was", "{x was"), replaced("locale/zh.po", "`x` was", "{x was")],
        {("test_hidden.py", "message"), ("locale/zh.po", "translation")},
    ),
    "an equivalent mutant that is gone": (
        [added("equivalent.toml", '[[equivalent]]\nfunction = "f"\nchange = "-  a\\n+  b"\nreason = "None."\n')],
        {("equivalent.toml", "equivalent")},
    ),
    "an equivalent mutant without a reason": (
        [added("equivalent.toml", '[[equivalent]]\nfunction = "f"\nchange = "-  a\\n+  b"\n')],
        {("equivalent.toml", "equivalent")},
    ),
    "an exercise that is as it was made": (
        [replaced("starter.py", "return x\n\n", "return x\n")],
        {("starter.py", "template")},
    ),
    "a number that is taken": ([neighbour(1, "other")], {("exercise.toml", "place")}),
    "a prerequisite that comes later": (
        [neighbour(2, "other"), replaced("exercise.toml", "prerequisites = []", 'prerequisites = ["other"]')],
        {("exercise.toml", "place")},
    ),
    "a message that is an f-string": (
        [check("text", ANSWER + '\n    expect(got["input"].mean() > 0, f"Not {got}")')],
        {("test_hidden.py", "message")},
    ),
}  # fmt: skip
JUDGED: Bad = {
    "a starter that passes": (
        [replaced("starter.py", "return x", "return (x - x.mean(dim=0)) / x.std(dim=0, correction=0)")],
        {("starter.py", "starter")},
    ),
    "a right answer that is rejected": (
        [replaced("correct/column_by_column.py", "x.T", "x.T[:2]")],
        {("correct/column_by_column.py", "rejected")},
    ),
    "a reference that is rejected": (
        [check("never", f'{ANSWER}\n    expect(got["answer"].sum() > 99, "Too little.")'), translated("Too little.")],
        {("solution.py", "rejected")},
    ),
    "a wrong answer that passes": (
        [program("wrong/nothing.py", f"return {RIGHT}", sentence="Nothing.")],
        {("wrong/nothing.py", "accepted")},
    ),
    "a wrong answer that passes with some seeds": (
        [replaced(BY_HAND, "    mean =", f"    if len(x) % 2:\n        return {RIGHT}\n    mean =")],
        {(BY_HAND, "accepted")},
    ),
    "a wrong answer that fails at other checks with other seeds": (
        [check("rows", 'x = draw(rng)\n    got, expected = learner.standardised(x=x), reference.standardised(x=x)\n'
                       '    expect_close(got["answer"], expected["answer"], "Rows.")'),
         translated("Rows."),
         program("wrong/all_columns_together__of_some.py", "if len(x) in (5, 7):",
                 "    return (x - x.mean()) / x.std(correction=0)", f"return {RIGHT}")],
        {("wrong/all_columns_together__of_some.py", "unsteady")},
    ),
    "two names for one mistake": (
        [program("wrong/inside.py", "x -= x.mean(0)", "x /= x.std(0, correction=0)", "return x", sentence="Inside.")],
        {("wrong/in_place.py", "diagnosis"), ("wrong/inside.py", "diagnosis")},
    ),
    "a wrong answer that only has a slip in it": (
        [replaced(BY_HAND, "x.numel()", "y.numel()")],
        {(BY_HAND, "program")},
    ),
    "a check that nothing can fail": (
        [check("idle", f'{ANSWER}\n    expect("answer" in got, "No answer.")'), translated("No answer.")],
        {("test_hidden.py", "idle")},
    ),
    "a message with a path in it": (
        [replaced("test_hidden.py", f'"{COLUMNS}', f'"In {{place}}: {COLUMNS}'),
         replaced("test_hidden.py", "divides by N.\",", "divides by N.\",\n        place=__file__,"),
         replaced("locale/zh.po", f'msgid "{COLUMNS}', f'msgid "In {{place}}: {COLUMNS}'),
         replaced("locale/zh.po", 'msgstr "各列', 'msgstr "{place}: 各列')],
        {("test_hidden.py", "leak")},
    ),
    "a message that lacks a value": (
        [replaced("test_hidden.py", "`x` was", "{name} was"), replaced("locale/zh.po", "`x` was", "{name} was"),
         replaced("locale/zh.po", "`x` 被", "{name} 被")],
        {("test_hidden.py", "message")},
    ),
    "a check that stumbles over a wrong answer": (
        [check("stumbles", ANSWER + '\n    assert_of = [1][int(bool((got["input"].mean(0).abs() < 1e-3).all()))]')],
        {("test_hidden.py", "message")},
    ),
    "a check that fails by itself": ([check("broken", "nothing_of_that_name")], {("test_hidden.py", "suite")}),
    "a suite that cannot be imported": (
        [added("test_hidden.py", "import nothing_of_that_name\n")],
        {("test_hidden.py", "suite")},
    ),
    "a suite without checks": ([replaced("test_hidden.py", "def test_", "def check_")], {("test_hidden.py", "suite")}),
    "a probe that cannot be imported": ([added("probe.py", "import nothing_of_that_name\n")], {("probe.py", "suite")}),
    "a sample that the reference fails": (
        [replaced("test_sample.py", "[1.0, 1.0]", "[1.0, 1.5]")],
        {("test_sample.py", "sample")},
    ),
    "a reference that needs much of the time": (
        [replaced("solution.py", "    return", "    import time\n\n    time.sleep(0.4)\n    return"),
         replaced("exercise.toml", "wall_s = 5", "wall_s = 1")],
        {("exercise.toml", "cost")},
    ),
    "a reference that needs much of the memory": (
        [replaced("solution.py", "    return", "    much = x.new_zeros(40, 2**20 // 4)\n    return much[0, 0] +"),
         replaced("exercise.toml", "memory_mib = 512", "memory_mib = 128")],
        {("exercise.toml", "cost")},
    ),
    "a block of the statement that does not run": (
        [added("statement.en.md", "\n```python\nstandard_columns(3)\n```\n")],
        {("statement.en.md", "block")},
    ),
    "a statement with other parameters": (
        [replaced("statement.zh.md", "def standard_columns(x)", "def standard_columns(x, eps=0)")],
        {("statement.zh.md", "block")},
    ),
    "an example that comes out otherwise": (
        [replaced("statement.en.md", "[ 1.,  1.]", "[ 1.,  2.]")],
        {("statement.en.md", "block")},
    ),
    "a study that asks for what the reference has not": (
        [added("study.py", '"""A study."""\n\nprint(standard_rows)\n'), translated("A study.")],
        {("study.py", "study")},
    ),
    "a study that ends without a figure": (
        [added("study.py", '"""A study."""\n\nprint("done")\n'), translated("A study.")],
        {("study.py", "study")},
    ),
    "a study whose numbers no page can read": (
        [added("study.py", '"""A study."""\n\nprint(\'{"kind": "norms", "data": {"norms": [NaN]}}\')\n'),
         translated("A study.")],
        {("study.py", "study")},
    ),
    "a study that ends the process": (
        [added("study.py", '"""A study."""\n\nimport os\n\nos._exit(0)\n'), translated("A study.")],
        {("study.py", "study")},
    ),
}  # fmt: skip


def spoilt(folder: Path, bad: Bad, name: str) -> set[tuple[str, str]]:
    """What is expected of the folder, which is bad now."""
    edits, expected = bad[name]
    for edit in edits:
        edit(folder)
    return expected


def found(report: Report) -> set[tuple[str, str]]:
    return {(finding.file, finding.kind) for finding in report.findings}


def test_a_good_folder_gives_nothing(good: Path, judging: Judging) -> None:
    report = verified(good, judging, SEEDS)
    assert report.findings == []
    assert (report.checks, report.mistakes, report.wrong, report.correct) == (2, 2, 3, 1)
    assert (report.seeds, report.judgings, report.flakes) == (4, 8, 0)


@pytest.mark.parametrize("name", READ)
def test_reading_a_bad_folder(name: str, good: Path, judging: Judging) -> None:
    expected = spoilt(good, READ, name)
    report = verified(good, judging, [])
    assert found(report) == expected, report.findings


@pytest.mark.parametrize("name", JUDGED)
def test_judging_a_bad_folder(name: str, good: Path, judging: Judging) -> None:
    assert not found(verified(good, judging, []))
    expected = spoilt(good, JUDGED, name)
    report = verified(good, judging, SEEDS)
    assert found(report) == expected, report.findings
