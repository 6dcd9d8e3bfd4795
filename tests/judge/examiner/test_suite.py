"""The checks of a suite's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.examiner.suite import read_checks

SUITE = '''
from __future__ import annotations
from dataclasses import dataclass
from math import floor as test_imported


@dataclass
class Drawn:
    size: int


def test_second_to_none(learner):
    """It comes first

    and this is for who reads the suite.
    """


def helper(): ...


def test_untitled(learner, seed): ...
'''


def test_checks_come_in_their_order_with_titles(tmp_path: Path) -> None:
    (tmp_path / "test_hidden.py").write_text(SUITE)
    checks = read_checks(tmp_path / "test_hidden.py")
    assert [(id, check.id, check.title) for id, check in checks.items()] == [
        ("second_to_none", "second_to_none", "It comes first"),
        ("untitled", "untitled", "test_untitled"),
    ]
    assert checks["untitled"].function.__name__ == "test_untitled"


def test_a_suite_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "test_hidden.py").write_text("import nowhere_to_be_found\n")
    with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
        read_checks(tmp_path / "test_hidden.py")
