"""The exercises' own programs, judged behind the wall: right ones pass, wrong ones are stopped and named as themselves.

Here each mistake is judged by its first program and with one seed, and two exercises are verified whole. All programs
under many seeds are for whoever changes an exercise: `python judge.py verify ID --seeds 20`.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.author.judging import Judging, Sitting
from judge.author.verify import verify
from judge.exercise import load_exercises

SHELF = load_exercises()
SEED = 1
WHOLE = ("collate", "loop")
SLOW = ("pipeline",)  # each of its programs trains on the spiral


@pytest.fixture(scope="module")
def judging() -> Iterator[Judging]:
    with Judging() as judging:
        yield judging


def test_every_folder_can_be_used() -> None:
    assert [str(problem) for problem in SHELF.problems] == []


@pytest.mark.parametrize("exercise_id", SHELF.exercises)
def test_nothing_that_can_be_read_is_wrong(exercise_id: str, judging: Judging) -> None:
    report = verify(SHELF.exercises[exercise_id], SHELF, judging, [], lambda *_: None)
    assert [str(finding) for finding in report.findings] == []


@pytest.mark.timeout(900)
@pytest.mark.parametrize("exercise_id", WHOLE)
def test_nothing_is_wrong_with_it(exercise_id: str, judging: Judging) -> None:
    exercise = SHELF.exercises[exercise_id]
    report = verify(exercise, SHELF, judging, [SEED], lambda *_: None)
    assert [str(finding) for finding in report.findings] == []
    assert report.flakes == 0
    # What is kept of an earlier run still holds: a mistake is looked for only there.
    kept = exercise.failed
    assert [name for name, checks in report.failed.items() if not kept.get(name, frozenset()) >= set(checks)] == []


@pytest.mark.timeout(900)
@pytest.mark.parametrize("exercise_id", [id for id in SHELF.exercises if id not in WHOLE + SLOW])
def test_right_programs_pass_and_mistakes_are_named(exercise_id: str, judging: Judging) -> None:
    exercise = SHELF.exercises[exercise_id]
    expected: dict[Path, list[str]] = {path: [] for path in (exercise.root / "solution.py", *exercise.correct)}
    expected |= {mistake.files[0]: [mistake.name] for mistake in exercise.mistakes.values()}
    verdicts = judging.verdicts(Sitting(exercise, path.read_bytes(), SEED) for path in expected)
    wrongly_judged = {
        path.name: (verdict.status, [check.id for check in verdict.checks if check.status != "passed"], named)
        for (path, names), verdict in zip(expected.items(), verdicts, strict=True)
        if (named := [diagnosis.mistake for diagnosis in verdict.diagnoses]) != names
        or (verdict.status == "passed") != (not names)
    }
    assert wrongly_judged == {}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("exercise_id", SLOW)
def test_right_programs_pass_and_wrong_ones_do_not(exercise_id: str, judging: Judging) -> None:
    exercise = replace(SHELF.exercises[exercise_id], mistakes={})  # no diagnosis
    right = [exercise.root / "solution.py", *exercise.correct]
    wrong = [mistake.files[0] for mistake in SHELF.exercises[exercise_id].mistakes.values()]
    verdicts = judging.verdicts(Sitting(exercise, path.read_bytes(), SEED, until_failed=True) for path in right + wrong)
    passed = [path for path, verdict in zip(right + wrong, verdicts, strict=True) if verdict.status == "passed"]
    assert passed == right


def test_nearly_every_mistake_in_the_loop_runs_without_an_error(judging: Judging) -> None:
    """So say the readme and the course's first page. A program that raises has the status `error`."""
    loop = replace(SHELF.exercises["loop"], mistakes={})
    wrong = [mistake.files[0] for mistake in SHELF.exercises["loop"].mistakes.values()]
    verdicts = judging.verdicts(Sitting(loop, path.read_bytes(), SEED) for path in wrong)
    silent = [verdict for verdict in verdicts if verdict.status == "failed"]
    assert len(silent) / len(wrong) > 0.9


@pytest.mark.parametrize("exercise_id", SHELF.exercises)
def test_a_starter_does_not_pass(exercise_id: str, judging: Judging) -> None:
    exercise = SHELF.exercises[exercise_id]
    (verdict,) = judging.verdicts([Sitting(exercise, exercise.starter.encode(), SEED, until_failed=True)])
    assert verdict.status not in ("passed", "fault")


@pytest.mark.parametrize("exercise_id", [id for id in SHELF.exercises if id not in SLOW])
def test_what_each_program_fails_is_known(exercise_id: str) -> None:
    """Else a mistake is looked for in every check, which takes longer: `python judge.py verify ID` writes it."""
    assert SHELF.exercises[exercise_id].failed
