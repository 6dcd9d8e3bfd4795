"""Which mistake is named, and when none is: certain names only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from judge.diagnose import Diagnosing
from judge.examiner.check import Outcome
from judge.exercise import Exercise
from judge.grade import Judge
from judge.verdict import Status
from tests.conftest import MakeExercise

# mistake -> check -> what its programs answer, and in which order each of them does things
Programs = dict[str, dict[str, tuple[object, *tuple[list[object], ...]]]]
RIGHT = {"a": 1, "b": 2, "c": 3}


def outcome(check: str, answer: object, events: list[object]) -> Outcome:
    status = Status.PASSED if answer == RIGHT[check] else Status.FAILED
    return Outcome(status=status, calls=[answer], events=[events])


def named(
    learner: dict[str, object],
    mistakes: Programs,
    events: dict[str, list[object]] | None = None,
    budget_s: float = 60,
    fails: Mapping[str, list[frozenset[str] | None]] | None = None,
    replayed: list[tuple[str, str]] | None = None,
) -> dict[str, list[str]]:
    """The mistakes named for a learner who answers so, and for which checks."""
    outcomes = {check: outcome(check, answer, (events or {}).get(check, [])) for check, answer in learner.items()}

    def replay(mistake: str, check: str, found: Outcome | None) -> Iterator[Outcome]:
        if replayed is not None and found is not None:
            replayed.append((mistake, check))
        answer, *orders = mistakes[mistake].get(check, (RIGHT[check], []))
        for its_events in orders:
            again = outcome(check, answer, its_events)
            if (
                again.status is Status.PASSED
                if found is None
                else again.same_evidence(found) and answer != RIGHT[check]
            ):
                yield again

    unknown: dict[str, list[frozenset[str] | None]] = {name: [None] for name in mistakes}
    diagnosing = Diagnosing(outcomes, {name: f"{name}." for name in mistakes}, replay, fails or unknown, budget_s)
    diagnoses = diagnosing.diagnoses()
    assert all(diagnosis.sentence == f"{diagnosis.mistake}." for diagnosis in diagnoses)
    return {diagnosis.mistake: diagnosis.checks for diagnosis in diagnoses}


ONE: Programs = {"x": {"a": (10, [])}, "y": {"b": (20, [])}, "z": {"a": (11, []), "b": (21, [])}}


@pytest.mark.parametrize(
    ("learner", "expected"),
    [
        ({"a": 1, "b": 2, "c": 3}, {}),
        ({"a": 10, "b": 2, "c": 3}, {"x": ["a"]}),
        ({"a": 1, "b": 20, "c": 3}, {"y": ["b"]}),
        ({"a": 11, "b": 21, "c": 3}, {"z": ["a", "b"]}),
        # Two faults, each in a check of its own.
        ({"a": 10, "b": 20, "c": 3}, {"x": ["a"], "y": ["b"]}),
        # A failure that nothing explains, beside one that something does: a coincidence, perhaps.
        ({"a": 10, "b": 99, "c": 3}, {}),
        ({"a": 99, "b": 2, "c": 3}, {}),
        # Two that are explained beside one that is not are no coincidence.
        ({"a": 10, "b": 20, "c": 99}, {"x": ["a"], "y": ["b"]}),
        # Half of z, which would have failed b as well.
        ({"a": 11, "b": 99, "c": 3}, {}),
    ],
)
def test_names(learner: dict[str, object], expected: dict[str, list[str]]) -> None:
    assert named(learner, ONE) == expected


def test_equal_numbers_are_told_apart_by_events() -> None:
    twins: Programs = {
        "late": {"a": (10, ["forward", "backward", "step", "clip"])},
        "never": {"a": (10, ["forward", "backward", "step"])},
    }
    learner: dict[str, object] = {"a": 10, "b": 2}
    assert named(learner, twins, {"a": ["forward", "backward", "step"]}) == {"never": ["a"]}
    assert named(learner, twins, {"a": ["forward", "backward", "step", "clip"]}) == {"late": ["a"]}
    assert named(learner, twins, {"a": ["zero", "forward", "backward", "step", "clip"]}) == {"late": ["a"]}


def test_a_real_tie_names_nothing() -> None:
    twins: Programs = {"one": {"a": (10, ["e"])}, "other": {"a": (10, ["e"])}}
    assert named({"a": 10, "b": 2}, twins, {"a": ["e"]}) == {}


def test_of_equals_the_one_that_passes_what_the_learner_passes() -> None:
    nearly: Programs = {"one": {"a": (10, [])}, "also b": {"a": (10, []), "b": (20, [])}}
    assert named({"a": 10, "b": 2}, nearly) == {"one": ["a"]}
    assert named({"a": 10, "b": 20}, nearly) == {"also b": ["a", "b"]}


def test_events_alone_explain_nothing() -> None:
    assert named({"a": 99}, {"x": {"a": (10, ["e"])}}, {"a": ["e"]}) == {}


def test_out_of_time_names_nothing() -> None:
    assert named({"a": 10}, ONE, budget_s=-1) == {}


def test_forged_events_take_no_time() -> None:
    many: Programs = {"x": {"a": (10, ["e", "f"] * 50)}, "y": {"a": (10, ["g"] * 100)}}
    assert named({"a": 10}, many, {"a": ["e", "f"] * 200_000}) == {"x": ["a"]}


def test_events_that_are_no_words_are_not_written_out() -> None:
    class Endless:
        def __str__(self) -> str:
            raise AssertionError("a tensor may take minutes")

    orders: Programs = {"x": {"a": (10, ["e"])}, "y": {"a": (10, ["f"])}}
    assert named({"a": 10}, orders, {"a": ["e", Endless()]}) == {"x": ["a"]}


KNOWN: dict[str, list[frozenset[str] | None]] = {name: [frozenset(checks)] for name, checks in ONE.items()}


def test_only_checks_that_a_mistake_can_fail_are_tried() -> None:
    replayed: list[tuple[str, str]] = []
    assert named({"a": 11, "b": 99, "c": 3}, ONE, fails=KNOWN, replayed=replayed) == {}
    assert sorted(set(replayed)) == [("x", "a"), ("y", "b"), ("z", "a"), ("z", "b")]


def test_a_check_that_a_mistake_was_never_seen_to_fail_is_added_to_it() -> None:
    fails: dict[str, list[frozenset[str] | None]] = {"z": [frozenset("a")], "y": [frozenset("b")]}
    mistakes: Programs = {"z": ONE["z"], "y": ONE["y"]}
    assert named({"a": 11, "b": 21, "c": 3}, mistakes, fails=fails) == {"z": ["a", "b"]}
    assert named({"a": 11, "b": 99, "c": 3}, mistakes, fails=fails) == {}


def test_a_mistake_that_fails_exactly_there_is_tried_before_all_others() -> None:
    replayed: list[tuple[str, str]] = []
    assert named({"a": 11, "b": 21, "c": 3}, ONE, fails=KNOWN, replayed=replayed) == {"z": ["a", "b"]}
    assert sorted(replayed) == [("z", "a"), ("z", "b")]


def test_it_is_named_even_where_another_does_more_alike() -> None:
    nearly: Programs = {"one": {"a": (10, ["e", "f"])}, "also b": {"a": (10, ["e"]), "b": (20, [])}}
    known: dict[str, list[frozenset[str] | None]] = {"one": [frozenset("a")], "also b": [frozenset("ab")]}
    assert named({"a": 10, "b": 2}, nearly, {"a": ["e"]}, fails=known) == {"one": ["a"]}


def test_what_does_the_same_throughout_is_compared_with_no_other() -> None:
    twins: Programs = {
        "late": {"a": (10, ["step", "clip"]), "b": (20, ["step", "clip"])},
        "never": {"a": (10, ["step"]), "b": (20, ["step"])},
    }
    known: dict[str, list[frozenset[str] | None]] = {name: [frozenset("ab")] for name in twins}
    replayed: list[tuple[str, str]] = []
    learner: dict[str, object] = {"a": 10, "b": 20, "c": 3}
    events: dict[str, list[object]] = {"a": ["step"], "b": ["step"]}
    assert named(learner, twins, events, fails=known, replayed=replayed) == {"never": ["a", "b"]}
    assert ("late", "b") not in replayed
    assert named(learner, twins, events | {"b": ["step", "other"]}, fails=known) == {"never": ["a", "b"]}


def test_the_order_of_any_program_of_a_mistake_counts() -> None:
    orders: Programs = {"early": {"a": (10, ["step", "back"], ["clip", "step", "back"])}, "late": {"a": (10, ["step"])}}
    assert named({"a": 10, "b": 2}, orders, {"a": ["clip", "step", "back"]}) == {"early": ["a"]}
    assert named({"a": 10, "b": 2}, orders, {"a": ["step", "back"]}) == {"early": ["a"]}
    assert named({"a": 10, "b": 2}, orders, {"a": ["step"]}) == {"late": ["a"]}
    tie: Programs = {"one": {"a": (10, ["back"], ["step", "back"])}, "two": {"a": (10, ["step"])}}
    assert named({"a": 10, "b": 2}, tie, {"a": ["step", "back"]}) == {"one": ["a"]}


def test_no_mistake_is_known() -> None:
    assert named({"a": 10}, {}) == {}


# --- through the judge -----------------------------------------------------------------------------------------------


def mixed(exercise: Exercise, change: Callable[[str], str]) -> str:
    source = change(exercise.solution)
    assert source != exercise.solution
    return source


def test_every_known_mistake_is_named_as_itself(judge: Judge, demo: Exercise) -> None:
    for name, mistake in demo.mistakes.items():
        for path in mistake.files:
            verdict = judge.verdict(demo, path.read_bytes())
            assert [diagnosis.mistake for diagnosis in verdict.diagnoses] == [name], path
            assert verdict.diagnoses[0].sentence == mistake.sentence


def test_two_faults_in_one_file_are_both_named(judge: Judge, demo: Exercise) -> None:
    source = mixed(
        demo, lambda text: text.replace("x * factor", "x + factor").replace("len(values)", "(1 + len(values))")
    )
    verdict = judge.verdict(demo, source)
    assert {diagnosis.mistake: diagnosis.checks for diagnosis in verdict.diagnoses} == {
        "adds": ["scale"],
        "counts-one-more": ["mean"],
    }


def test_an_unknown_mistake_has_no_name(judge: Judge, demo: Exercise) -> None:
    verdict = judge.verdict(demo, mixed(demo, lambda text: text.replace("x * factor", "x * factor + 1e-2")))
    assert verdict.status == "failed"
    assert verdict.diagnoses == []


def test_an_unknown_fault_beside_a_known_one_silences(judge: Judge, demo: Exercise) -> None:
    source = mixed(
        demo, lambda text: text.replace("x * factor", "x + factor").replace("range(count)", "range(count - 1)")
    )
    verdict = judge.verdict(demo, source)
    assert [check.status for check in verdict.checks if check.id in ("scale", "total")] == ["failed", "failed"]
    assert verdict.diagnoses == []


FREE = '''
from judge.kit import expect


def test_shuffled(learner, rng, evidence):
    """Any order, but all of them"""
    got = learner.shuffled(count=20)
    evidence(complete=len(set(got)) == 20, shuffled=got != sorted(got))
    expect(len(set(got)) == 20, "Some are missing.")
    expect(got != sorted(got), "They are in order.")
'''
FREE_PROBE = "def shuffled(solution, count):\n    return solution.answer(count)\n"
LOSES = '"""Loses one."""\nimport random\n\ndef answer(count):\n    return random.sample(range(count), count - 1)\n'
SORTS = '"""Does not shuffle."""\n\ndef answer(count):\n    return list(range(count))\n'


def test_evidence_stands_for_answers_that_are_free(judge: Judge, make_exercise: MakeExercise) -> None:
    exercise = make_exercise(FREE, probe=FREE_PROBE, wrong={"loses": LOSES, "sorts": SORTS})
    (exercise.root / "solution.py").write_text(
        "import random\n\ndef answer(count):\n    return random.sample(range(count), count)\n"
    )
    other_loser = "import random\n\ndef answer(count):\n    return random.sample(range(1, count), count - 1)\n"
    assert [d.mistake for d in judge.verdict(exercise, other_loser).diagnoses] == ["loses"]
    assert [d.mistake for d in judge.verdict(exercise, SORTS).diagnoses] == ["sorts"]
    both = "def answer(count):\n    return list(range(count - 1))\n"
    assert judge.verdict(exercise, both).diagnoses == []


def test_a_mistake_that_raises_or_hangs_is_recognised(judge: Judge, make_exercise: MakeExercise) -> None:
    suite = '''
from judge.kit import expect


def test_it(learner):
    """It answers"""
    expect(learner.answer(x=3) == 6, "Not so.")
'''
    exercise = make_exercise(
        suite,
        limits="wall_s = 0.6",
        wrong={
            "raises": '"""It raises."""\n\ndef answer(x):\n    raise ValueError("no")\n',
            "raises_another": '"""It raises."""\n\ndef answer(x):\n    return [][x]\n',
            "hangs": '"""It hangs."""\n\ndef answer(x):\n    while True: pass\n',
        },
    )
    (exercise.root / "solution.py").write_text("def answer(x):\n    return 2 * x\n")
    for source, name in (
        ("def answer(x):\n    raise ValueError('no')\n", ["raises"]),
        ("def answer(x):\n    return ()[x] if 0 else [1][x]\n", ["raises-another"]),
        ("def answer(x):\n    raise ValueError('another text')\n", []),
        ("def answer(x):\n    while x: x = 1\n", ["hangs"]),
    ):
        assert [diagnosis.mistake for diagnosis in judge.verdict(exercise, source).diagnoses] == name, source
