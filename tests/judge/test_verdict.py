from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from judge.verdict import (
    GRAVITY,
    CheckEnded,
    CheckResult,
    Diagnosis,
    Event,
    Figure,
    FigureDrawn,
    Finished,
    Message,
    Started,
    Status,
    Verdict,
    overall,
)

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
CHECK = CheckResult(id="a", title="A", status=Status.FAILED, message=Message(template="{x}"), duration_ms=1.5)
VERDICT = Verdict(
    exercise="demo",
    exercise_hash="0",
    status=Status.FAILED,
    line=3,
    checks=[CHECK],
    diagnoses=[Diagnosis(mistake="m", sentence="s", checks=["a"])],
    figures=[Figure(check="a", kind="k", data={"x": [1, None, "y"]})],
    prints="p",
    seed=2**48 - 1,
    duration_ms=2.5,
)


@pytest.mark.parametrize(
    "event",
    [
        Started.model_validate({"checks": [{"id": "a", "title": "A"}]}),
        CheckEnded(check=CHECK),
        FigureDrawn(figure=VERDICT.figures[0]),
        Finished(verdict=VERDICT),
    ],
)
def test_events_survive_json(event: Event) -> None:
    assert EVENTS.validate_json(event.model_dump_json()) == event


def test_the_gravest_check_decides() -> None:
    assert set(GRAVITY) == set(Status)
    for index, status in enumerate(GRAVITY):
        checks = [CHECK.model_copy(update={"status": other}) for other in (*GRAVITY[index:], status)]
        assert overall(checks) == status


def test_no_check_at_all_is_a_fault() -> None:
    assert overall([]) == Status.FAULT


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"status": "won"}, {"extra": 1}, {"seed": "x"}, {"checks": [{}]}, {"duration_ms": None}],
)
def test_what_is_no_verdict_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Verdict.model_validate(VERDICT.model_dump() | change)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_an_event_or_a_validation_error(line: bytes) -> None:
    with suppress(ValidationError):
        EVENTS.validate_json(line)


def test_verdicts_do_not_change() -> None:
    with pytest.raises(ValidationError):
        VERDICT.status = Status.PASSED  # type: ignore[misc]
