"""Threads of their own for work that pages must not wait behind.

Whatever asks the database does so in a thread, and all pages share forty. Those who write would fill them while another
process keeps the database locked, and a thousand streams, which look into it again and again, at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, Semaphore, fail_after, to_thread

from app.refusal import AWAY, Refusal

# Who submits waits so long for a thread, and then for a locked database, before being told to try again.
PATIENCE_S = 5.0

_Answer = TypeVar("_Answer")
_Arguments = TypeVarTuple("_Arguments")


class Threads:
    """So many at a time; who comes then waits, and takes no thread for it. Raises Refusal after `patience_s`."""

    def __init__(self, number: int, patience_s: float | None = None) -> None:
        self._limiter = CapacityLimiter(number)
        self._places = Semaphore(number)
        self._patience_s = patience_s

    async def __call__(self, function: Callable[[*_Arguments], _Answer], *arguments: *_Arguments) -> _Answer:
        try:
            with fail_after(self._patience_s):
                await self._places.acquire()
        except TimeoutError:
            raise Refusal(503, AWAY) from None
        try:
            return await to_thread.run_sync(function, *arguments, limiter=self._limiter)
        finally:
            self._places.release()


writing = Threads(20, PATIENCE_S)
looking = Threads(4)
