"""The worker beside a site, and what becomes of the site when it ends."""

from __future__ import annotations

import gc
import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import cast

import h11
import pytest
from fastapi import FastAPI
from starlette.responses import Response

from app import serving
from app.guard import Guard
from tests.processes import eventually

STAYS = "import time; time.sleep(60)"


class Site:
    should_exit = False


def workers_are(monkeypatch: pytest.MonkeyPatch, programs: list[str]) -> None:
    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", programs.pop(0)])

    monkeypatch.setattr(serving, "RESTART_AFTER_S", 0.01)
    monkeypatch.setattr(serving, "_start_worker", start)


@pytest.mark.parametrize("dies", ["raise SystemExit(1)", "import os; os.kill(os.getpid(), 9)"])
def test_a_worker_that_dies_is_replaced_however_soon(monkeypatch: pytest.MonkeyPatch, dies: str) -> None:
    programs = [dies, dies, STAYS]
    workers_are(monkeypatch, programs)
    site = Site()
    with serving.worker(cast(serving.Site, site)):
        assert eventually(lambda: not programs)
        assert not site.should_exit


def test_where_no_worker_can_work_the_site_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    workers_are(monkeypatch, [f"raise SystemExit({os.EX_CONFIG})"])
    site = Site()
    with serving.worker(cast(serving.Site, site)):
        assert eventually(lambda: site.should_exit)


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    """Where a site is served whose pages are empty."""

    app = FastAPI()
    app.add_route("/", lambda _: Response(status_code=204))
    app.add_middleware(Guard, refuse=lambda _, refusal: Response(status_code=refusal.status_code))
    site = serving.Site(app, "127.0.0.1", 0, lambda address: address)
    thread = threading.Thread(target=lambda: site.run(sockets=[site._socket]))
    thread.start()
    assert eventually(lambda: site.started)
    yield "127.0.0.1", int(site.address.rpartition(":")[2])
    site.should_exit = True
    thread.join()
    gc.unfreeze()


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: ", b"a" * 4096),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"A: b\r\n" * 700),
        (b"GET /", b"a" * 4096),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;a=", b"a" * 4096),
    ],
    ids=["value", "headers", "address", "chunk"],
)
def test_the_head_of_a_request_is_bounded(address: tuple[str, int], begin: bytes, more: bytes) -> None:
    sent = 0
    with socket.create_connection(address, timeout=20) as connection, suppress(ConnectionError):
        connection.sendall(begin)
        while sent < 32 * 2**20:
            connection.sendall(more)
            sent += len(more)
    assert sent < 32 * 2**20
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 204")


def test_a_head_that_comes_at_once_is_bounded_too(address: tuple[str, int]) -> None:
    for size, is_taken in ((12_000, True), (40_000, False)):
        answer = b""
        with socket.create_connection(address, timeout=20) as connection, suppress(ConnectionError):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nA: " + b"a" * size + b"\r\n\r\n")
            while piece := connection.recv(4096):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 204") == is_taken
        assert answer.count(b"HTTP/1.1") <= 1


@pytest.mark.parametrize("body", [b"zz\r\n\r\n", b"1\r\na\r\n" * 4000], ids=["broken", "of a byte each"])
def test_what_comes_in_chunks_is_not_read(
    address: tuple[str, int], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    """Taking it apart would keep everybody waiting."""
    read: list[object] = []
    next_event = h11.Connection.next_event

    def reading(connection: h11.Connection) -> object:
        read.append(next_event(connection))
        return read[-1]

    monkeypatch.setattr(h11.Connection, "next_event", reading)
    with socket.create_connection(address, timeout=20) as connection, suppress(ConnectionError):
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        answer = connection.recv(4096)
        assert answer.startswith(b"HTTP/1.1 411")
        assert connection.recv(4096) == b""
    assert not any(isinstance(event, h11.Data) for event in read)
    assert caplog.records == []


def test_no_log_grows_with_what_is_sent(address: tuple[str, int], caplog: pytest.LogCaptureFixture) -> None:
    upgrade = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
    for sent in (upgrade, b"x\r\n\r\n"):
        with socket.create_connection(address, timeout=20) as connection:
            connection.sendall(sent)
            while connection.recv(4096):
                continue
    assert caplog.records == []


@pytest.mark.usefixtures("address")
def test_what_was_loaded_at_the_start_is_not_looked_through_for_garbage() -> None:
    assert gc.get_freeze_count() > 10_000


def test_who_asks_for_a_websocket_is_answered_like_everybody_else(address: tuple[str, int]) -> None:
    """Left open, one with a long header had the site's stop end in an error."""
    asks = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX: " + b"a" * 9000 + b"\r\n\r\n"
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(asks + key)
        assert connection.recv(100).startswith(b"HTTP/1.1 204")


def test_who_reads_nothing_is_let_go() -> None:
    with serving._bound("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            patience_ms = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert patience_ms == serving.READER_PATIENCE_S * 1000


def test_many_may_be_connected() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        serving._allow_many_connections()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(before[1], serving.MAX_CONNECTIONS)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
