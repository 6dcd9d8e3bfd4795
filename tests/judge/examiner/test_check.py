"""One check with one subject: what it asks, how it ends, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from judge.examiner.check import MALFORMED, Differs, Outcome, check_seed, run_check
from judge.kit import expect, expect_close
from judge.limits import Limits
from judge.sandbox import client
from judge.verdict import Status
from judge.wire import Opaque

LIMITS = Limits(wall_s=0.2)


class Answers:
    """A subject that answers from a list; an error in it is raised."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, object]]] = []

    def call(self, name: str, arguments: dict[str, object]) -> object:
        self.asked.append((name, arguments))
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    call_to_the_end = call

    def restart(self) -> None: ...

    keep_files = close = restart


def run(check: Callable[..., object], *answers: object, expected: list[object] | None = None) -> Outcome:
    return run_check(check, Answers(*answers), Answers(), seed=5, device="cpu", limits=LIMITS, expected=expected)


def check(learner: object) -> None:
    expect(learner.answer(x=1) == 2, "{what} is wrong.", what="It")  # type: ignore[attr-defined]


def test_a_met_check_passes() -> None:
    outcome = run(check, 2)
    assert (outcome.status, outcome.message, outcome.calls) == (Status.PASSED, None, [2])


def test_an_unmet_check_fails_with_its_message() -> None:
    outcome = run(check, 3)
    assert (outcome.status, str(outcome.message), outcome.crash) == (Status.FAILED, "It is wrong.", None)


def test_a_check_is_given_what_it_names() -> None:
    seen: dict[str, object] = {}

    def nosy(seed: int, rng: Random, device: str) -> None:
        seen.update(seed=seed, drawn=rng.random(), device=device)

    run(nosy)
    assert seen == {"seed": 5, "drawn": Random(5).random(), "device": "cpu"}


ENDS = [
    (client.WallTimeout(), "timeout", "Stopped after 0.2 s without an answer."),
    (client.CpuTimeout(), "timeout", "Stopped after 5 s of processor time."),
    (client.OutOfMemory(), "memory", "Your code used more than 512 MiB of memory."),
    (client.TooMuchOutput(), "error", "Your code printed more than 64 KiB and was stopped."),
    (client.Malformed(), "failed", str(MALFORMED)),
    (client.Died(3), "error", "Your code ended the process (exit status 3) instead of returning an answer."),
    (client.Raised("memory", ["MemoryError"], "", ""), "memory", "Your code used more than 512 MiB of memory."),
    (client.Raised("file", ["OSError"], "", ""), "error", "Your code wrote a file of more than 1024 KiB."),
    (client.Raised("error", ["ValueError"], "no", ""), "error", "Your code raised ValueError: no"),
    (client.Raised("error", ["KeyError"], "", ""), "error", "Your code raised KeyError"),
    (client.Raised("made up", ["A\x1b"], "\u202e", ""), "error", "Your code raised A\\x1b: \\u202e"),
]


@pytest.mark.parametrize(("error", "status", "sentence"), ENDS, ids=[repr(error) for error, *_ in ENDS])
def test_how_a_box_ended_is_said(error: client.BoxError, status: str, sentence: str) -> None:
    outcome = run(check, error)
    assert (outcome.status, str(outcome.message)) == (status, sentence)


def test_what_is_forbidden_is_said_with_the_error() -> None:
    outcome = run(check, client.Raised("forbidden", ["PermissionError"], "no", "solution.py, line 1\x1b"))
    assert outcome.status == "error"
    assert str(outcome.message).endswith("threads or the network): PermissionError: no")
    assert outcome.traceback == "solution.py, line 1\\x1b"


def test_no_box_is_our_fault_and_goes_up() -> None:
    with pytest.raises(client.NoBox):
        run(check, client.NoBox("gone"))


def test_a_suite_that_stumbles_keeps_what_it_stumbled_over() -> None:
    def stumbles(learner: object) -> None:
        learner.answer()["a"]  # type: ignore[attr-defined]

    outcome = run(stumbles, 3)
    assert (outcome.status, outcome.message) == (Status.FAILED, MALFORMED)
    assert isinstance(outcome.crash, TypeError)


def test_a_suite_that_hangs_is_stopped() -> None:
    def hangs(learner: object) -> None:
        learner.answer()  # type: ignore[attr-defined]
        while True:
            pass

    outcome = run(hangs, 3)
    assert (outcome.status, outcome.message) == (Status.FAILED, MALFORMED)
    assert outcome.crash is not None


def test_values_of_messages_are_scalars_that_can_be_shown() -> None:
    def shows(learner: object) -> None:
        got = learner.answer()  # type: ignore[attr-defined]
        expect_close(got, 1.0, "{got} {nan} {many} {text}", nan=float("nan"), many=[1], text="\x00" * 5000)

    outcome = run(shows, Opaque("a\x1bb"))
    assert outcome.message is not None
    assert outcome.message.values["got"] == "a\\x1bb"
    assert outcome.message.values["nan"] == "nan"
    assert outcome.message.values["many"] == "list"
    text = outcome.message.values["text"]
    assert isinstance(text, str)
    assert text.startswith("\\x00")
    assert len(text) < 500


def test_figures_are_json_and_bounded() -> None:
    def draws(figure: Callable[..., None]) -> None:
        figure("small", a=(1, float("inf"), "\x1b"), b={3: object()}, c=Opaque("x"))
        figure("large", a=[0] * 100_000)

    assert run(draws).figures == [("small", {"a": [1, None, "\\x1b"], "b": {"3": "object"}, "c": "x"})]


def test_events_explain_and_do_not_count() -> None:
    first, other = run(check, {"a": 1, "events": ["x"]}), run(check, {"a": 1, "events": ["y"]})
    assert first.same_evidence(other)
    assert (first.calls, first.events) == ([{"a": 1}], [["x"]])


def test_facts_count_instead_of_answers() -> None:
    def free(learner: object, evidence: Callable[..., None]) -> None:
        evidence(sign=learner.answer() > 0)  # type: ignore[attr-defined]

    assert run(free, 1).same_evidence(run(free, 2))
    assert not run(free, 1).same_evidence(run(free, -1))
    assert not run(free, 1).same_evidence(run(check, 1))


def test_errors_are_evidence() -> None:
    assert run(check, client.Raised("error", ["A"], "t", "x")).same_evidence(
        run(check, client.Raised("error", ["A"], "t", "y"))
    )
    assert not run(check, client.Raised("error", ["A"], "t", "")).same_evidence(
        run(check, client.Raised("error", ["B"], "t", ""))
    )
    assert run(check, client.WallTimeout()).same_evidence(run(check, client.WallTimeout()))
    assert not run(check, client.WallTimeout()).same_evidence(run(check, client.Died(0)))


def test_a_replay_ends_where_it_goes_another_way() -> None:
    assert run(check, 3, expected=[3]).calls == [3]
    for expected in ([4], []):
        with pytest.raises(Differs):
            run(check, 3, expected=expected)


def test_each_check_draws_for_itself() -> None:
    seeds = {check_seed(seed, name) for seed in range(20) for name in ("a", "b")}
    assert len(seeds) == 40
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert check_seed(1, "a") == check_seed(1, "a")
