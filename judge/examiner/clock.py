"""Time limits for our own code, which may be led astray by an answer it did not expect. Main thread only."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def time_limit(seconds: float, error: type[BaseException]) -> Iterator[None]:
    """Raise `error` after `seconds` in here. A limit around this one stands still meanwhile."""

    def interrupt(*_: object) -> None:
        raise error

    outer_left_s, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    outer_interrupt = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer_interrupt)
        signal.setitimer(signal.ITIMER_REAL, outer_left_s)
