"""Every hostile submission ends in the verdict its file names, and leaves nothing behind.

Each is judged twice at a time, by a judge that whoever runs the tests has started and by one that an ordinary user has
started: the walls are built differently for root. After each a right solution must pass.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from judge.exercise import Exercise, load_exercises
from judge.grade import Judge
from judge.sandbox.parent import SPARE_BOXES
from judge.verdict import Status, Verdict
from tests import processes
from tests.attacks.corpus import ATTACKS, Attack
from tests.conftest import CASES
from tests.ordinary_user import UserJudge

EXERCISES = load_exercises([CASES]).exercises
KINDS = Counter(attack.name.partition("/")[0] for attack in ATTACKS)


def texts(verdict: Verdict) -> list[str]:
    """Everything of a verdict that somebody reads."""
    found = [verdict.prints]
    for check in verdict.checks:
        found += [str(check.message or ""), check.traceback]
    return [*found, str(verdict.message or "")]


def assert_repelled(attack: Attack, verdict: Verdict) -> None:
    assert verdict.status in attack.statuses, verdict
    said = texts(verdict)
    assert any(sentence in text for sentence in attack.says.split(" | ") for text in said[1:]), said
    for check in verdict.checks:
        assert check.status is not Status.FAULT
        assert (check.message is None) == (check.status is Status.PASSED)
    assert "BREACH" not in verdict.prints + "".join(str(check.message or "") for check in verdict.checks)
    for text in said:
        text.encode()
        assert str(Path(__file__).parents[2]) not in text
        assert all(character in "\n\t" or unicodedata.category(character) != "Cc" for character in text)
        assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert len(verdict.model_dump_json()) < 300_000
    assert verdict.diagnoses == [] or {diagnosis.mistake for diagnosis in verdict.diagnoses} == {"mean"}


def assert_nothing_left(judge_pid: int) -> None:
    parent = processes.warm_parent(judge_pid)
    # Spare boxes wait for the next submission; no box that has seen one is left.
    assert processes.eventually(lambda: len(processes.below(parent)) <= SPARE_BOXES)


def mounts() -> int:
    return Path("/proc/self/mountinfo").read_text().count("\n")


def both(judge: Judge, user_judge: UserJudge, exercise: Exercise, source: str) -> tuple[Verdict, Verdict]:
    user_judge.ask(exercise, source)
    return judge.verdict(exercise, source), user_judge.answer()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(judge: Judge, user_judge: UserJudge, attack: Attack) -> None:
    exercise = EXERCISES[attack.exercise]
    before = mounts()
    for verdict in both(judge, user_judge, exercise, attack.source):
        assert_repelled(attack, verdict)
    for verdict in both(judge, user_judge, exercise, exercise.solution):
        assert verdict.status is Status.PASSED, verdict
    for pid in (judge._sandbox.process.pid, user_judge.pid):
        assert_nothing_left(pid)
    assert mounts() == before


def test_the_corpus_has_every_kind() -> None:
    assert set(KINDS) == {"forge", "read", "escape", "exhaust", "persist", "know", "text"}
    assert len(ATTACKS) >= 100
