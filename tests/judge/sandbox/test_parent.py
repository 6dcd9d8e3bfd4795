"""The warm parent's first box."""

from __future__ import annotations

import pytest

from judge import wire
from judge.sandbox.parent import WarmParent

MADE = wire.encode({"value": None})


def warm_parent_answered(monkeypatch: pytest.MonkeyPatch, answers: list[bytes]) -> WarmParent:
    monkeypatch.setattr(WarmParent, "_answer_of_a_box", lambda _: answers.pop(0))
    return object.__new__(WarmParent)  # without what it imports and forks


def test_a_first_box_that_somebody_kills_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [b"", MADE]
    warm_parent_answered(monkeypatch, answers)._try_a_box()
    assert answers == []


def test_a_first_box_that_cannot_be_made_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="a box could not be made: no room"):
        warm_parent_answered(monkeypatch, [b"no room"])._try_a_box()
