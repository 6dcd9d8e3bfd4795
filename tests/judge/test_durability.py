"""Processes killed at the worst moments: nothing is lost, and nothing gets two verdicts."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from judge import store
from judge.grade import Judge
from judge.queue import queue_url
from judge.tables import State
from judge.verdict import CheckEnded, Finished, Started, Status
from tests.judge.workplace import DEADLINE_S, ROOT, Workplace, until
from tests.processes import below, command_of

sqlite = pytest.mark.parametrize("url", ["sqlite"], indirect=True)

# A site that stores a submission and is killed before it enqueues it.
DYING_SITE = """
import os, signal, sys
from judge import database, store
from judge.grade import Judge
engine = database.connect()
print(store.submit(engine, int(sys.argv[1]), "tiny", "from a dying site"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


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


def put_to_sleep(pid: int, workplace: Workplace) -> None:
    """Stop a process where it holds no lock: asleep with SQLite's, it would keep everybody waiting."""
    url = workplace.environment["FIVE_LINES_DATABASE"]
    while True:
        os.kill(pid, signal.SIGSTOP)
        if all(map(can_be_locked, (url, queue_url(url)))):
            return
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.01)


def can_be_locked(url: str) -> bool:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=0.5)) as database:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True


# What follows does not depend on the kind of database, or only on what other tests try on both.


@sqlite
def test_a_site_killed_before_it_enqueues_loses_nothing(workplace: Workplace) -> None:
    learner = store.draw_learner()
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
    put_to_sleep(sleeping.pid, workplace)
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
    old = store.submit(workplace.engine, store.draw_learner(), "tiny", "old")
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


@sqlite
def test_told_to_stop_the_real_judge_finishes_or_gives_back_what_is_in_hand(
    workplace: Workplace, exercises: Path
) -> None:
    with (exercises / "tiny" / "exercise.toml").open("a") as description:
        description.write("[limits]\nwall_s = 30\n")
    worker = workplace.start_worker(make_grader=Judge)
    assert worker.pid
    sleeping = "import time\ndef f(x):\n    time.sleep({})\n    return x + x\n"
    short, long, waiting = (workplace.submit(sleeping.format(seconds)) for seconds in (1, 15, 0))
    until(lambda: workplace.events(short) == workplace.events(long) == [Started])
    judges = descendants(worker.pid)
    assert judges
    worker.terminate()
    worker.join(DEADLINE_S)
    assert worker.exitcode == 0
    states = [workplace.state(id_) for id_ in (short, long, waiting)]
    assert states == [State.DONE, State.QUEUED, State.QUEUED]
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in judges))

    workplace.start_real_worker()
    for id_ in (short, long, waiting):
        assert workplace.verdict(id_).status is Status.PASSED
    assert workplace.events(long) == [Started, Started, CheckEnded, Finished]
    assert workplace.verdicts() == 3


@sqlite
def test_a_worker_ends_with_the_site_that_started_it(workplace: Workplace) -> None:
    site_that_dies = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-m", "judge.worker", "--slots", "1", "--beside", str(os.getpid())])
time.sleep(300)
"""
    log = workplace._log.open("ab")
    with (
        log,
        subprocess.Popen(
            [sys.executable, "-c", site_that_dies], env=os.environ | workplace.environment, cwd=ROOT, stderr=log
        ) as site,
    ):
        until(lambda: "is ready" in workplace.log())
        (worker,) = (pid for pid in below(site.pid) if "judge.worker" in command_of(pid))
        site.kill()
    until(lambda: "judge.worker" not in command_of(worker))
