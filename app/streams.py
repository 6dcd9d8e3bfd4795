"""How many streams of events are open: each looks into the database again and again for as long as it is."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator

from sse_starlette import EventSourceResponse, ServerSentEvent
from sse_starlette.sse import SendTimeoutError
from starlette.types import Receive, Scope, Send

from app.refusal import Refusal
from app.words import N_

MAX_STREAMS_PER_LEARNER = 8  # a browser opens no more than six at a time
MAX_STREAMS = 1_000
SEND_TIMEOUT_S = 30.0  # who has not taken an event by then reads no more, and holds a place

TOO_MANY_TABS = N_("You follow too many submissions at a time. Close some of the pages.")
TOO_MANY_STREAMS = N_("Very many verdicts are being waited for at the moment. Reload the page in a minute.")


class Streams:
    """Counted by the one thread of the event loop."""

    def __init__(self) -> None:
        self._open: Counter[int] = Counter()

    def opened(self, learner_id: int, events: AsyncIterator[ServerSentEvent]) -> EventSourceResponse:
        """The answer that sends `events`; Refusal where too many are open."""
        if self._open[learner_id] >= MAX_STREAMS_PER_LEARNER:
            raise Refusal(429, TOO_MANY_TABS)
        if self._open.total() >= MAX_STREAMS:
            raise Refusal(503, TOO_MANY_STREAMS)
        self._open[learner_id] += 1
        return _Counted(events, self, learner_id)

    def closed(self, learner_id: int) -> None:
        self._open[learner_id] -= 1
        if not self._open[learner_id]:
            del self._open[learner_id]


class _Counted(EventSourceResponse):
    def __init__(self, events: AsyncIterator[ServerSentEvent], streams: Streams, learner_id: int) -> None:
        super().__init__(events, headers={"Cache-Control": "no-store"}, send_timeout=SEND_TIMEOUT_S)
        self._streams = streams
        self._learner_id = learner_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with contextlib.suppress(SendTimeoutError):
                await super().__call__(scope, receive, send)
        finally:
            self._streams.closed(self._learner_id)
