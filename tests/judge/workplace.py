"""A database, exercises, and workers that come and go, for tests of what survives."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from sqlalchemy import Engine, func, select
from sqlmodel import Session

from judge import store
from judge.queue import Queue
from judge.tables import State, VerdictRow
from judge.verdict import Event, Verdict
from judge.worker import MakeGrader
from tests.judge import worker_double

ROOT = Path(__file__).parents[2]
DEADLINE_S = 60


class Workplace:
    """A database, exercises, and workers that come and go."""

    def __init__(self, url: str, engine: Engine, exercises: Path, folder: Path) -> None:
        self.engine = engine
        self.queue = Queue(url)
        self._gradings = folder / "gradings"
        self._gradings.touch()
        self._log = folder / "worker.log"
        self._workers: list[ForkServerProcess] = []
        self._real_workers: list[subprocess.Popen[bytes]] = []
        self.environment = {
            "FIVE_LINES_DATABASE": url,
            "FIVE_LINES_EXERCISES": str(exercises),
            "GRADINGS": str(self._gradings),
            "PYTHONPATH": str(ROOT),
        }

    def start_worker(self, slots: int = 2, make_grader: MakeGrader = worker_double.Double) -> ForkServerProcess:
        worker = worker_double.start(self.environment, self._log, slots, make_grader)
        self._workers.append(worker)
        self._until_ready()
        return worker

    def start_real_worker(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            command = [sys.executable, "-m", "judge.worker", "--slots", "1"]
            worker = subprocess.Popen(command, env=os.environ | self.environment, cwd=ROOT, stderr=log)
        self._real_workers.append(worker)
        self._until_ready()
        return worker

    def _until_ready(self) -> None:
        until(lambda: self.log().count("is ready") == len(self._workers) + len(self._real_workers))

    def submit(self, source: str) -> int:
        id_ = store.submit(self.engine, store.draw_learner(), "tiny", source)
        self.queue.enqueue(id_)
        return id_

    def verdict(self, id_: int) -> Verdict:
        until(lambda: self.state(id_) == State.DONE)
        verdict = store.verdict_of(self.engine, id_)
        assert verdict is not None
        return verdict

    def state(self, id_: int) -> str:
        submission = store.get_submission(self.engine, id_)
        assert submission is not None
        return submission.state

    def gradings(self) -> list[str]:
        return self._gradings.read_text().splitlines()

    def log(self) -> str:
        return self._log.read_text() if self._log.exists() else ""

    def events(self, id_: int) -> list[type[Event]]:
        return [type(event) for _, event in store.events_after(self.engine, id_, 1)]

    def verdicts(self) -> int:
        with Session(self.engine) as session:
            return session.scalar(select(func.count()).select_from(VerdictRow)) or 0

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
            worker.join()
            worker.close()
        for real_worker in self._real_workers:
            real_worker.kill()
            real_worker.wait()
        self.queue.close()


def until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
