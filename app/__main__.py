"""Serve the site: `python -m app`. On one machine this starts the worker too, and keeps it running."""

from __future__ import annotations

import argparse
import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import uvicorn

from app.main import create_app
from app.settings import from_environment
from judge.migrations import migrate

RESTART_AFTER_S = 1.0
# A worker that ends sooner could not start, for instance where no safe sandbox can be had; another could not either.
STARTING_S = 30.0
# A worker told to stop finishes what it has in hand, or gives it back.
WORKER_PATIENCE_S = 15.0
# Browsers that follow a submission keep a connection open; they come back to the next site.
OPEN_CONNECTIONS_PATIENCE_S = 3

log = logging.getLogger("app")


class Site(uvicorn.Server):
    """uvicorn, saying where it serves once it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"Five Lines is at http://{self.config.host}:{self.config.port}/", flush=True)


@contextmanager
def worker(site: Site) -> Iterator[None]:
    """A worker process for as long as the block runs. Where none can start, the site stops too."""
    stopping = threading.Event()
    process = _start_worker()

    def keep_running() -> None:
        nonlocal process
        while True:
            started = time.monotonic()
            status = process.wait()
            if stopping.is_set():
                return
            if status > 0 and time.monotonic() - started < STARTING_S:
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
    return subprocess.Popen([sys.executable, "-m", "judge.worker"], process_group=0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m app", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-worker", action="store_true", help="the worker runs elsewhere, and so do migrations")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    settings = from_environment()
    if not options.no_worker:
        migrate(settings.database)
    site = Site(
        uvicorn.Config(
            create_app(settings),
            host=options.host,
            port=options.port,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=OPEN_CONNECTIONS_PATIENCE_S,
        )
    )

    # uvicorn stops at these signals too, but then raises them again: without handlers of ours this process would end
    # before its worker does.
    def stop(_number: int, _frame: object) -> None:
        site.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    with nullcontext() if options.no_worker else worker(site):
        site.run()
    return 0 if site.started else 1


if __name__ == "__main__":
    sys.exit(main())
