"""What a worker does when a part of the machine fails. `docs/faults.md` has the whole list."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from judge import store, tables
from judge.queue import entry_id
from judge.tables import State
from judge.verdict import Finished, Started, Status
from tests.conftest import SmallDisk
from tests.judge.workplace import DEADLINE_S, Workplace, until

pytestmark = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


def database(workplace: Workplace) -> Path:
    return Path(str(workplace.engine.url.database))


def locked(path: Path) -> sqlite3.Connection:
    """Another process's connection that holds a database's write lock until it is closed."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return connection


def test_a_verdict_waits_for_a_locked_database(workplace: Workplace) -> None:
    workplace.start_worker(slots=1)
    id_ = workplace.submit("sleep 0.5")
    until(lambda: workplace.events(id_) == [Started])
    with closing(locked(database(workplace))):
        until(lambda: workplace.log().count("trying again: database is locked") > 2)
    assert workplace.verdict(id_).status is Status.PASSED
    assert workplace.verdict(workplace.submit("later")).status is Status.PASSED
    assert workplace.gradings() == ["sleep 0.5", "later"]


def test_a_worker_told_to_stop_ends_while_the_database_is_locked(workplace: Workplace) -> None:
    worker = workplace.start_worker(slots=1)
    id_ = workplace.submit("sleep 0.5")
    until(lambda: workplace.events(id_) == [Started])
    with closing(locked(database(workplace))):
        until(lambda: "trying again" in workplace.log())
        worker.terminate()
        worker.join(DEADLINE_S)
        assert worker.exitcode == 0
    workplace.start_worker(slots=1)
    assert workplace.verdict(id_).status is Status.PASSED
    assert workplace.verdicts() == 1


def test_a_locked_queue_delays_and_loses_nothing(workplace: Workplace) -> None:
    workplace.start_worker(slots=1)
    first = workplace.submit("sleep 0.5")
    until(lambda: workplace.events(first) == [Started])
    learner = store.draw_learner()
    with closing(locked(database(workplace).with_suffix(".queue.sqlite"))):
        assert workplace.verdict(first).status is Status.PASSED
        stored = store.submit(workplace.engine, learner, "tiny", "stored meanwhile")
        time.sleep(0.5)
        assert workplace.state(stored) == State.QUEUED
    assert workplace.verdict(stored).status is Status.PASSED
    assert workplace.gradings() == ["sleep 0.5", "stored meanwhile"]


@pytest.fixture
def disk_below(url: str, small_disk: SmallDisk) -> SmallDisk:
    """A small disk with the test's database on it."""
    folder = Path(url.removeprefix("sqlite:///")).parent
    shutil.copytree(folder, small_disk.path / "database")
    shutil.rmtree(folder)
    folder.symlink_to(small_disk.path / "database")
    return small_disk


def test_a_verdict_waits_for_a_full_disk(disk_below: SmallDisk, workplace: Workplace) -> None:
    workplace.start_worker(slots=1)
    id_ = workplace.submit("sleep 0.5")
    until(lambda: workplace.events(id_) == [Started])
    disk_below.fill()
    until(lambda: workplace.log().count("trying again: database or disk is full") > 2)
    assert workplace.state(id_) == State.JUDGING
    disk_below.empty()
    assert workplace.verdict(id_).status is Status.PASSED
    for number in range(3):
        assert workplace.verdict(workplace.submit(f"later {number}")).status is Status.PASSED
    assert workplace.gradings() == ["sleep 0.5", "later 0", "later 1", "later 2"]


def test_judging_waits_for_room_in_the_temporary_folder(workplace: Workplace, small_disk: SmallDisk) -> None:
    workplace.environment["TMPDIR"] = str(small_disk.path)
    worker = workplace.start_real_worker()
    small_disk.fill()
    id_ = workplace.submit("def f(x):\n    return x + x\n")
    until(lambda: f"{small_disk.path} is full" in workplace.log())
    assert workplace.state(id_) == State.QUEUED
    small_disk.empty()
    assert workplace.verdict(id_).status is Status.PASSED
    small_disk.fill()
    worker.terminate()
    assert worker.wait(DEADLINE_S) == 0
    small_disk.empty()
    assert list(small_disk.path.glob("five-lines*")) == []


@pytest.mark.parametrize("jump_s", [3600, -3600])
def test_a_clock_that_jumps_changes_no_order_and_loses_nothing(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    clock = time.time
    sources = [f"number {number}" for number in range(6)]
    ids = [workplace.submit(source) for source in sources[:3]]
    monkeypatch.setattr(time, "time", lambda: clock() + jump_s)
    ids += [workplace.submit(source) for source in sources[3:]]
    with closing(sqlite3.connect(database(workplace).with_suffix(".queue.sqlite"))) as queue:  # goes by its own clock
        change = "UPDATE workflow_status SET created_at = created_at + ? WHERE workflow_uuid = ?"
        queue.executemany(change, [(jump_s * 1000, entry_id(id_, 1)) for id_ in ids[3:]])
        queue.commit()
    assert [store.position(workplace.engine, id_) for id_ in ids] == [1, 2, 3, 4, 5, 6]
    workplace.start_worker(slots=1)
    for id_ in ids:
        assert workplace.verdict(id_).status is Status.PASSED
    assert workplace.gradings() == sources


def test_a_clock_put_forward_forgets_no_event_of_what_is_being_judged(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workplace.start_worker(slots=1)
    id_ = workplace.submit("sleep 1")
    until(lambda: workplace.events(id_) == [Started])
    clock, now = time.time, tables.now
    monkeypatch.setattr(time, "time", lambda: clock() + 7200)
    monkeypatch.setattr(store, "now", lambda: now() + timedelta(hours=2))
    store.forget_events(workplace.engine)
    workplace.queue.forget_ended()
    assert workplace.events(id_) == [Started]
    verdict = workplace.verdict(id_)
    store.forget_events(workplace.engine)
    workplace.queue.forget_ended()
    assert store.events_after(workplace.engine, id_, 1) == [(store.FINISHED_SEQ, Finished(verdict=verdict))]
    assert workplace.verdict(workplace.submit("later")).status is Status.PASSED
    assert workplace.gradings() == ["sleep 1", "later"]
