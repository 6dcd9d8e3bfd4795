"""Processes killed at the worst moments: nothing is lost, and nothing gets two verdicts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session

from judge import store
from judge.queue import Queue
from judge.store import State, VerdictRow
from judge.verdict import CheckEnded, Event, Finished, Started, Status, Verdict
from tests.judge import worker_double

ROOT = Path(__file__).parents[2]
DEADLINE_S = 60

sqlite = pytest.mark.parametrize("url", ["sqlite"], indirect=True)

# A site that stores a submission and is killed before it enqueues it.
DYING_SITE = """
import os, signal, sys
from judge import store
engine = store.connect()
print(store.submit(engine, int(sys.argv[1]), "tiny", "from a dying site"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


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

    def start_worker(self, slots: int = 2) -> ForkServerProcess:
        worker = worker_double.start(self.environment, self._log, slots)
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
        id_ = store.submit(self.engine, store.add_learner(self.engine), "tiny", source)
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


@pytest.fixture
def workplace(url: str, engine: Engine, exercises: Path, tmp_path: Path) -> Iterator[Workplace]:
    workplace = Workplace(url, engine, exercises, tmp_path)
    yield workplace
    workplace.close()


def test_a_killed_workers_submission_is_judged_after_restart_once(workplace: Workplace) -> None:
    worker = workplace.start_worker()
    id_ = workplace.submit("hang-once")
    until(lambda: workplace.events(id_) == [Started])
    worker.kill()
    worker.join()
    assert workplace.state(id_) == State.JUDGING

    workplace.start_worker()
    assert workplace.verdict(id_).status is Status.PASSED
    assert workplace.verdict(workplace.submit("later")).status is Status.PASSED
    assert workplace.gradings() == ["hang-once", "hang-once", "later"]
    assert workplace.events(id_) == [Started, Started, CheckEnded, Finished]
    assert workplace.verdicts() == 2


def test_a_living_worker_takes_over_from_a_killed_one(workplace: Workplace) -> None:
    dying = workplace.start_worker(slots=1)
    id_ = workplace.submit("hang-once")
    until(lambda: workplace.events(id_) == [Started])
    workplace.start_worker(slots=1)
    dying.kill()
    dying.join()
    assert workplace.verdict(id_).status is Status.PASSED
    assert workplace.gradings() == ["hang-once", "hang-once"]
    assert workplace.verdicts() == 1


def test_two_workers_judge_forty_submissions_once_each(workplace: Workplace) -> None:
    ids = [workplace.submit(f"number {number}") for number in range(40)]
    for _ in range(2):
        workplace.start_worker()
    for id_ in ids:
        assert workplace.verdict(id_).status is Status.PASSED
    assert sorted(workplace.gradings()) == sorted(f"number {number}" for number in range(40))
    assert workplace.verdicts() == 40


# What follows does not depend on the kind of database, or only on what other tests try on both.


@sqlite
def test_a_site_killed_before_it_enqueues_loses_nothing(workplace: Workplace) -> None:
    learner = store.add_learner(workplace.engine)
    site = subprocess.run(
        [sys.executable, "-c", DYING_SITE, str(learner)],
        env=os.environ | workplace.environment,
        capture_output=True,
        text=True,
    )
    assert site.returncode == -signal.SIGKILL
    workplace.start_worker()
    assert workplace.verdict(int(site.stdout)).status is Status.PASSED
    assert workplace.gradings() == ["from a dying site"]


@sqlite
def test_a_worker_that_sleeps_through_it_comes_late(workplace: Workplace) -> None:
    sleeping = workplace.start_worker(slots=1)
    id_ = workplace.submit("sleep 0.5")
    until(lambda: workplace.events(id_) == [Started])
    assert sleeping.pid
    os.kill(sleeping.pid, signal.SIGSTOP)
    assert store.rejudge(workplace.engine, id_) == 2
    workplace.queue.enqueue(id_, attempt=2)
    workplace.start_worker(slots=1)
    verdict = workplace.verdict(id_)
    sleeping.terminate()
    os.kill(sleeping.pid, signal.SIGCONT)
    sleeping.join(DEADLINE_S)
    assert sleeping.exitcode == 0
    assert store.verdict_of(workplace.engine, id_) == verdict
    assert workplace.verdicts() == 1


@sqlite
def test_learners_are_judged_in_order_and_before_judging_again(workplace: Workplace) -> None:
    old = store.submit(workplace.engine, store.add_learner(workplace.engine), "tiny", "old")
    assert store.rejudge(workplace.engine, old) == 2
    workplace.queue.enqueue(old, attempt=2)
    new = [workplace.submit(f"new {number}") for number in range(4)]
    workplace.start_worker(slots=1)
    for id_ in [*new, old]:
        workplace.verdict(id_)
    assert workplace.gradings() == ["new 0", "new 1", "new 2", "new 3", "old"]


@sqlite
def test_a_worker_told_to_stop_finishes_or_gives_back_what_it_has_in_hand(workplace: Workplace) -> None:
    worker = workplace.start_worker()
    short, long, waiting = (workplace.submit(source) for source in ("sleep 0.5", "hang-once", "waiting"))
    until(lambda: workplace.events(short) == workplace.events(long) == [Started])
    worker.terminate()
    worker.join(DEADLINE_S)
    assert worker.exitcode == 0
    states = [workplace.state(id_) for id_ in (short, long, waiting)]
    assert states == [State.DONE, State.QUEUED, State.QUEUED]

    workplace.start_worker()
    for id_ in (long, waiting):
        assert workplace.verdict(id_).status is Status.PASSED
    assert sorted(workplace.gradings()) == ["hang-once", "hang-once", "sleep 0.5", "waiting"]


def descendants(pid: int) -> set[int]:
    """The processes under this one."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        children = {int(child) for child in (task / "children").read_text().split()}
        found |= children.union(*(descendants(child) for child in children))
    return found


@sqlite
def test_the_real_judge_killed_with_its_worker_leaves_nothing_and_loses_nothing(workplace: Workplace) -> None:
    worker = workplace.start_real_worker()
    wrong = workplace.submit("def f(x):\n    return x\n")
    slow = workplace.submit("import time\ndef f(x):\n    time.sleep(1)\n    return x + x\n")
    assert workplace.verdict(wrong).status is Status.FAILED
    until(lambda: workplace.events(slow) == [Started])
    judges = descendants(worker.pid)
    assert judges
    worker.kill()
    worker.wait()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in judges))

    worker = workplace.start_real_worker()
    assert workplace.verdict(slow).status is Status.PASSED
    assert workplace.events(slow) == [Started, Started, CheckEnded, Finished]
    assert workplace.verdicts() == 2
    worker.terminate()
    assert worker.wait(DEADLINE_S) == 0
