"""A worker in a process of its own, as far as its name goes."""

from __future__ import annotations

import threading
from multiprocessing.connection import Connection

from judge.presence import Workers
from tests.judge.worker_double import processes


class Another:
    """Holds a worker's name until it is killed."""

    def __init__(self, url: str) -> None:
        ours, theirs = processes.Pipe()
        with ours, theirs:
            self._process = processes.Process(target=_hold, args=(url, theirs))
            self._process.start()
            self.name: str = ours.recv()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()


def _hold(url: str, pipe: Connection) -> None:
    workers = Workers(url)
    pipe.send(workers.join())
    threading.Event().wait()
