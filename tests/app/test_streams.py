from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sse_starlette import ServerSentEvent
from starlette.types import Message

from app import streams as module
from app.refusal import Refusal
from app.streams import MAX_STREAMS_PER_LEARNER, Streams


async def nothing_happens() -> AsyncIterator[ServerSentEvent]:
    await asyncio.sleep(600)
    yield ServerSentEvent("")


def refusal_of(streams: Streams, learner_id: int) -> int:
    with pytest.raises(Refusal) as refused:
        streams.opened(learner_id, nothing_happens())
    return refused.value.status_code


def test_a_learner_opens_so_many_streams() -> None:
    streams = Streams()
    for _ in range(MAX_STREAMS_PER_LEARNER):
        streams.opened(1, nothing_happens())
    assert refusal_of(streams, 1) == 429
    streams.opened(2, nothing_happens())
    streams.closed(1)
    streams.opened(1, nothing_happens())
    assert refusal_of(streams, 1) == 429


def test_all_together_open_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STREAMS", 3)
    streams = Streams()
    for learner_id in range(3):
        streams.opened(learner_id, nothing_happens())
    assert refusal_of(streams, 7) == 503


def test_who_leaves_is_not_counted_any_more() -> None:
    streams = Streams()

    async def visit() -> None:
        answer = streams.opened(1, nothing_happens())

        async def gone() -> Message:
            return {"type": "http.disconnect"}

        async def send(_: Message) -> None: ...

        await asyncio.wait_for(answer({"type": "http", "method": "GET"}, gone, send), 10)

    for _ in range(3 * MAX_STREAMS_PER_LEARNER):
        asyncio.run(visit())
    assert streams._open.total() == 0


def test_who_reads_no_more_loses_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEND_TIMEOUT_S", 0.1)
    streams = Streams()

    async def one_event() -> AsyncIterator[ServerSentEvent]:
        yield ServerSentEvent("x")

    async def visit() -> None:
        answer = streams.opened(1, one_event())

        async def stays() -> Message:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body":
                await asyncio.sleep(60)

        await asyncio.wait_for(answer({"type": "http", "method": "GET"}, stays, send), 10)

    asyncio.run(visit())
    assert streams._open.total() == 0
