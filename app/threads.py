"""Threads of their own for work that pages must not wait behind.

Whatever asks the database does so in a thread, and all pages share forty. Those who write would fill them while another
process keeps the database locked, and a thousand streams, which look into it again and again, at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread

_Answer = TypeVar("_Answer")
_Arguments = TypeVarTuple("_Arguments")


class Threads:
    """So many at a time; who comes then waits, and takes no thread for it."""

    def __init__(self, number: int) -> None:
        self._limiter = CapacityLimiter(number)

    async def __call__(self, function: Callable[[*_Arguments], _Answer], *arguments: *_Arguments) -> _Answer:
        return await to_thread.run_sync(function, *arguments, limiter=self._limiter)


writing = Threads(20)
looking = Threads(4)
