"""Finding messages in the text of a suite, wherever they come from."""

from __future__ import annotations

from pathlib import Path

from judge.author.suite import read_suite

SUITE = '''
from judge import kit
from judge.kit import expect, expect_close

CONSTANT = "a constant"
BY_NAME = {"one": "one of a table", "other": "other of a table"}


def helper(ok, message, *, more="unused"):
    expect(ok, message)
    expect(ok, template=more)


def test_titled(learner):
    """The title

    and what nobody reads."""
    expect(True, "plain")
    expect_close(1, 1, "of a " "close")
    kit.expect(True, template="by keyword")
    expect(True, CONSTANT)
    expect(True, BY_NAME["one"])
    expect(True, "this" if learner else "that")
    expect(True, "joined " + "by plus")
    helper(True, "handed on", more="handed on by name")
    assert learner


def test_untitled(learner):
    figure("lines", series=[{"label": "mine", "values": [1]}, {"label": named, "values": "[]"}], x_label="step")
    expect(True, f"not {learner}")
    expect(True, learner.said())
'''


def test_a_suite_is_read(tmp_path: Path) -> None:
    path = tmp_path / "test_hidden.py"
    path.write_text(SUITE)
    suite = read_suite(path)
    assert suite.titles == {"The title": 14}
    assert suite.untitled == {"untitled": 29}
    assert set(suite.messages) == {
        *("plain", "of a close", "by keyword", "a constant", "one of a table", "other of a table"),
        *("this", "that", "joined by plus", "handed on", "handed on by name"),
    }
    assert suite.messages["plain"] == 18
    assert suite.formatted == [31]
    assert suite.words == {"mine": 30, "step": 30}
    assert suite.asserts == [26]
