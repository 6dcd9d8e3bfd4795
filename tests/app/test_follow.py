from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import Engine

from app import follow as module
from app.follow import Place, Waiting, follow
from judge import store
from judge.verdict import CheckTitle, Finished, Started
from tests.app.conftest import failing, judge


@pytest.fixture
def submission(engine: Engine) -> int:
    return store.submit(engine, store.draw_learner(), "loop", "x = 1")


def test_waiting_is_said_first_and_its_end_with_the_verdict(engine: Engine, submission: int) -> None:
    async def watch() -> list[object]:
        seen: list[object] = []
        async for _, event in follow(engine, submission, Place(1)):
            seen.append(event)
            if len(seen) == 1:
                judge(engine, submission, failing())
        return seen

    first, second, third = asyncio.run(watch())
    assert first == Waiting(position=1, silent=False)
    assert isinstance(second, Started)
    assert isinstance(third, Finished)


def test_silence_is_said_when_it_has_lasted(engine: Engine, submission: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENT_AFTER_S", 0.0)
    monkeypatch.setattr(module, "POSITION_EVERY_S", 0.0)

    async def watch() -> Waiting:
        async for _, event in follow(engine, submission, Place(1)):
            if isinstance(event, Waiting) and event.silent:
                return event
        raise AssertionError("it ended")

    assert asyncio.run(watch()) == Waiting(position=1, silent=True)


def test_an_attempt_cut_short_starts_anew(engine: Engine, submission: int) -> None:
    started = Started(checks=[CheckTitle(id="test_a", title="A")])
    assert store.begin(engine, submission, 1) is not None
    store.add_event(engine, submission, 1, started)
    store.give_back(engine, submission, 1)
    judge(engine, submission, failing())

    async def watch() -> list[str]:
        return [
            event.event async for _, event in follow(engine, submission, Place(1)) if not isinstance(event, Waiting)
        ]

    assert asyncio.run(watch()) == ["started", "started", "finished"]


def test_places_are_read_back() -> None:
    assert Place.parse(str(Place(2, 7)), 2) == Place(2, 7)
    assert Place.parse("2-7", 3) == Place(3, 0)
    assert Place.parse("2-٣", 2) == Place(2, 0)


def test_who_has_seen_the_end_is_told_nothing_more(engine: Engine, submission: int) -> None:
    judge(engine, submission, failing())

    async def watch(seq: int) -> int:
        return len([event async for event in follow(engine, submission, Place(1, seq))])

    assert asyncio.run(asyncio.wait_for(watch(0), 20)) == 2
    assert asyncio.run(asyncio.wait_for(watch(store.FINISHED_SEQ), 20)) == 0
