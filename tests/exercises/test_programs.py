"""Finished exercises, verified: right programs pass, wrong ones are stopped and told apart, behind the wall.

One seed here; `python judge.py verify --seeds 50` is for those who change one, and for exercises not finished yet.
"""

from collections.abc import Iterator

import pytest

from judge.author.judging import Judging
from judge.author.verify import verify
from judge.exercise import load_exercises

SHELF = load_exercises()
SEEDS = [1]
FINISHED = ("collate", "loop")


@pytest.fixture(scope="module")
def judging() -> Iterator[Judging]:
    with Judging() as judging:
        yield judging


def test_every_folder_can_be_used() -> None:
    assert [str(problem) for problem in SHELF.problems] == []
    assert set(FINISHED) <= SHELF.exercises.keys()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("exercise_id", FINISHED)
def test_nothing_is_wrong_with_it(exercise_id: str, judging: Judging) -> None:
    report = verify(SHELF.exercises[exercise_id], SHELF, judging, SEEDS, lambda *_: None)
    assert [str(finding) for finding in report.findings] == []
    assert report.flakes == 0
