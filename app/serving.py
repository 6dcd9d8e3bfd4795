"""A site that serves until it is told to stop, with a worker beside it that is kept running."""

from __future__ import annotations

import gc
import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

RESTART_AFTER_S = 1.0
# A worker told to stop finishes what it has in hand, or gives it back.
WORKER_PATIENCE_S = 15.0
# Browsers that follow a submission keep a connection open; they come back to the next site.
OPEN_CONNECTIONS_PATIENCE_S = 3
READER_PATIENCE_S = 30  # while nothing of what was sent is taken
MAX_CONNECTIONS = 16_384
MAX_HEAD_KIB = 16  # of a request: its first line and its headers

log = logging.getLogger("app")


class CannotServe(Exception):
    """The address cannot be had, mostly because another program serves there."""


class Connection(h11.Connection):
    """One that reads no body in chunks: the guard refuses it, and it may be of a byte each."""

    in_chunks = False

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        if self.in_chunks:
            return h11.NEED_DATA
        event = super().next_event()
        self.in_chunks = isinstance(event, h11.Request) and any(
            name == b"transfer-encoding" for name, _ in event.headers
        )
        return event


class Protocol(H11Protocol):
    """h11 bounds what has come of a head only as long as it is not whole. So it is given no more than that at once."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = Connection(h11.SERVER, MAX_HEAD_KIB * 1024)

    def data_received(self, data: bytes) -> None:
        piece = MAX_HEAD_KIB * 1024 + 1
        for begin in range(0, len(data), piece):
            if not self.transport.is_closing():
                super().data_received(data[begin : begin + piece])


class Site(uvicorn.Server):
    """uvicorn at a port that is ours before anything else is begun, saying so once it serves.

    `greeting` makes what is said out of the address.
    """

    def __init__(self, app: FastAPI, host: str, port: int, greeting: Callable[[str], str]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                # Not httptools, which keeps headers as long as they come: one connection could fill the memory.
                http=Protocol,
                ws="none",  # there is none here; who asks for one is answered like everybody else
                log_config=None,
                log_level=logging.ERROR,  # what it warns of is what somebody has sent
                server_header=False,
                timeout_graceful_shutdown=OPEN_CONNECTIONS_PATIENCE_S,
            )
        )
        self._greeting = greeting
        self._socket = _bound(host, port)
        name = f"[{host}]" if ":" in host else host
        self.address = f"http://{name}:{self._socket.getsockname()[1]}"

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # What is loaded by now is never garbage. Looking through it while a request's JSON becomes lists would take
        # most of that request's time, in which all wait.
        gc.collect()
        gc.freeze()
        await super().startup(sockets)
        if self.started:
            print(self._greeting(self.address), flush=True)

    def serve_until_told(self, *, with_worker: bool) -> int:
        """Serve until a signal to stop; the exit status."""

        # uvicorn stops at these signals too, but then raises them again: without handlers of ours this process would
        # end before its worker does.
        def stop(_number: int, _frame: object) -> None:
            self.should_exit = True

        _allow_many_connections()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, stop)
        with worker(self) if with_worker else nullcontext():
            self.run(sockets=[self._socket])
        return 0 if self.started else 1


def _allow_many_connections() -> None:
    """Each is a file descriptor, and systems begin with few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        wanted = MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, MAX_CONNECTIONS)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CannotServe(f"cannot serve at {host}, port {port}: {reason}; try another --port") from None
    if sys.platform == "linux":  # what is accepted there inherits it: who asks for much and reads nothing is let go
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, READER_PATIENCE_S * 1000)
    return listening


@contextmanager
def worker(site: Site) -> Iterator[None]:
    """A worker process for as long as the block runs. Where none can work, as without a wall, the site stops too."""
    stopping = threading.Event()
    process = _start_worker()

    def keep_running() -> None:
        nonlocal process
        while True:
            status = process.wait()
            if stopping.is_set():
                return
            if status == os.EX_CONFIG:
                site.should_exit = True
                return
            log.error("the worker ended with status %d; starting another", status)
            if stopping.wait(RESTART_AFTER_S):
                return
            process = _start_worker()

    threading.Thread(target=keep_running, name="keep-worker", daemon=True).start()
    try:
        yield
    finally:
        stopping.set()
        process.terminate()
        try:
            process.wait(WORKER_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()


def _start_worker() -> subprocess.Popen[bytes]:
    # In a group of its own: Ctrl+C at the terminal is for the site, which then tells the worker.
    command = [sys.executable, "-m", "judge.worker", "--beside", str(os.getpid())]
    environment = {name: value for name, value in os.environ.items() if name != "FIVE_LINES_SECRET"}
    return subprocess.Popen(command, env=environment, process_group=0)  # noqa: S603 - our own command
