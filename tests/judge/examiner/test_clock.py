from __future__ import annotations

import signal
import time
from contextlib import suppress

import pytest

from judge.examiner.clock import time_limit


class _Inner(BaseException):
    pass


class _Outer(BaseException):
    pass


def _spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def _spin_whatever_is_raised() -> None:
    while True:
        with suppress(Exception):  # as a suite might
            _spin(0.01)


def test_what_is_quick_is_left_alone() -> None:
    handler = signal.getsignal(signal.SIGALRM)
    left_s, _ = signal.getitimer(signal.ITIMER_REAL)  # pytest's own, if any
    with time_limit(0.01, _Inner):
        pass
    _spin(0.05)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL)[0] <= left_s


def test_what_is_slow_is_interrupted_even_where_it_catches_exceptions() -> None:
    with pytest.raises(_Inner), time_limit(0.05, _Inner):
        _spin_whatever_is_raised()


def test_an_outer_limit_stands_still_and_then_goes_on() -> None:
    left_s = []

    def nested() -> None:
        with time_limit(10, _Inner):
            _spin(0.3)
        left_s.append(signal.getitimer(signal.ITIMER_REAL)[0])
        _spin(10)

    with pytest.raises(_Outer), time_limit(0.2, _Outer):
        nested()
    assert left_s[0] > 0.1


def test_an_inner_limit_leaves_the_outer_as_it_was() -> None:
    with time_limit(10, _Outer):
        with pytest.raises(_Inner), time_limit(0.02, _Inner):
            _spin(10)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 5
