"""The events of judging one submission, or of a run, as they happen.

The worker is another process and the database is all they share, so the site looks there: often when the submission
is about to be judged, rarely when many are waiting before it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from sqlalchemy import Engine

from app.threads import looking
from judge import runs, store
from judge.run import Ended, RunEvent
from judge.verdict import Event, Finished

POLL_S = 0.05
POLL_MAX_S = 2.0
POSITION_EVERY_S = 0.5
# A worker tells of each check as it ends, and no check may take this long.
SILENT_AFTER_S = 20.0


@dataclass(frozen=True)
class Waiting:
    """Nothing new from a worker. `silent`: for so long that none seems to be running."""

    position: int
    silent: bool


@dataclass(frozen=True)
class Place:
    """Where in the events of a submission a reader is: what comes after is new to it."""

    attempt: int
    seq: int = 0

    def __str__(self) -> str:
        return f"{self.attempt}-{self.seq}"

    @classmethod
    def parse(cls, last_event_id: str, attempt: int) -> Place:
        """The place a browser names when it comes back; the beginning, when it names none of this attempt."""
        named, _, seq = last_event_id.partition("-")
        return cls(attempt, _number(seq) if named == str(attempt) else 0)


def _number(text: str) -> int:
    # Larger ones no database holds where these are kept.
    return min(int(text), store.FINISHED_SEQ) if text.isascii() and text.isdigit() and len(text) <= 10 else 0


async def follow(engine: Engine, submission_id: int, place: Place) -> AsyncIterator[tuple[Place, Event | Waiting]]:
    """Every event after `place`, then what comes, up to and including `finished`."""
    events_after = partial(store.events_after, engine, submission_id, place.attempt)
    async for seq, event in _follow(events_after, partial(store.position, engine, submission_id), place.seq):
        yield Place(place.attempt, seq), event


async def follow_run(engine: Engine, run_id: int, last_event_id: str) -> AsyncIterator[tuple[int, RunEvent | Waiting]]:
    """The same for a run, up to and including `ended`."""
    events_after = partial(runs.events_after, engine, run_id)
    async for place in _follow(events_after, partial(store.run_position, engine, run_id), _number(last_event_id)):
        yield place


_E = TypeVar("_E")


async def _follow(
    events_after: Callable[[int], list[tuple[int, _E]]], position_now: Callable[[], int | None], seq: int
) -> AsyncIterator[tuple[int, _E | Waiting]]:
    shown: Waiting | None = None
    behind_others = False
    interval_s = POLL_S
    last_news = time.monotonic()
    next_position = 0.0
    while True:
        events = [] if behind_others else await looking(events_after, seq)  # it has none yet
        now = time.monotonic()
        for seq, event in events:
            yield seq, event
            if isinstance(event, Finished | Ended):
                return
        if events:
            last_news, interval_s = now, POLL_S
        elif now >= next_position:
            next_position = now + POSITION_EVERY_S
            position = await looking(position_now)
            behind_others = position is not None and position > 1
            if position is None:
                if not await looking(events_after, seq):  # it is over, and its end is not new to this reader
                    return
            else:
                if shown is not None and position != shown.position:
                    last_news = now
                waiting = Waiting(position, silent=now - last_news > SILENT_AFTER_S)
                if waiting != shown:
                    shown = waiting
                    yield seq, waiting
                interval_s = min(POLL_S * max(position, 1), POLL_MAX_S)
        await asyncio.sleep(interval_s)
