from __future__ import annotations

import pytest

from app import throttle
from app.throttle import Throttle, network


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(throttle.time, "monotonic", lambda: now[0])
    return now


def test_so_many_within_a_while(clock: list[float]) -> None:
    counted = Throttle(2, within_s=60)
    assert [counted.hit("a"), counted.hit("a"), counted.hit("a"), counted.hit("b")] == [True, True, False, True]
    clock[0] = 59
    assert not counted.hit("a")
    clock[0] = 60
    assert counted.hit("a")


def test_who_has_gone_is_forgotten(clock: list[float]) -> None:
    counted = Throttle(2, within_s=60)
    for second in range(1000):
        clock[0] = second
        counted.hit(f"10.0.{second // 256}.{second % 256}")
    assert len(counted._moments) == 60


def test_an_ipv6_network_is_one_address() -> None:
    assert network("2001:db8::1") == network("2001:db8::ffff:1") != network("2001:db8:0:1::1")
    assert network("::ffff:192.0.2.7") == network("192.0.2.7") != network("192.0.2.8")
    assert network("testclient") == "testclient"
    assert network("fe80::1%eth0") == network("fe80::2%eth0")
