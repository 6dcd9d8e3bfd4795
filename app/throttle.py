"""So many times within a while, by address.

Counted by a clock that nobody sets: should the machine's be put back, nobody is locked out until it has caught up.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from ipaddress import IPv6Address, ip_address, ip_network

from fastapi import Request

NETWORK_BITS = 64  # of an IPv6 address: the rest is its owner's to choose


class Throttle:
    def __init__(self, times: int, within_s: float = 60.0) -> None:
        self.times = times
        self._within_s = within_s
        self._moments: dict[str, deque[float]] = {}  # by network, that of the newest last
        self._lock = threading.Lock()

    def hit(self, address: str) -> bool:
        """Count one; False, and not counted, if it is one too many."""
        key = network(address)
        with self._lock:
            moments = self._recent(key)
            if len(moments) >= self.times:
                return False
            moments.append(time.monotonic())
            self._moments.pop(key, None)
            self._moments[key] = moments
            return True

    def _recent(self, key: str) -> deque[float]:
        """The moments of `key` that count still. Networks of which none do are forgotten."""
        since = time.monotonic() - self._within_s
        while self._moments and (oldest := next(iter(self._moments.values())))[-1] <= since:
            oldest.clear()
            del self._moments[next(iter(self._moments))]
        moments = self._moments.get(key, deque())
        while moments and moments[0] <= since:
            moments.popleft()
        return moments


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def network(address: str) -> str:
    """What of an address names somebody."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or ip_network((int(parsed), NETWORK_BITS), strict=False))
    return str(parsed)
