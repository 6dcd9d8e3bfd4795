from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from dbos import DBOSClient
from sqlalchemy import Engine, create_engine, text

from judge import queue as queue_module
from judge import runs, store
from judge.presence import Workers
from judge.queue import Queue, entry_id, queue_url
from judge.verdict import Status, Verdict
from tests.judge.another import Another


@pytest.fixture
def queue(url: str) -> Iterator[Queue]:
    queue = Queue(url)
    yield queue
    queue.close()


@pytest.fixture
def client(url: str) -> Iterator[DBOSClient]:
    """Another look at the same queue."""
    client = DBOSClient(system_database_url=queue_url(url))
    yield client
    client.destroy()


@pytest.fixture
def submission(engine: Engine, learner: int) -> int:
    return store.submit(engine, learner, "tiny", "x = 1")


def statuses(client: DBOSClient) -> dict[str, str]:
    return {entry.workflow_id: entry.status for entry in client.list_workflows()}


def hand_to(url: str, worker: str) -> None:
    """As if that worker had taken all that is queued."""
    engine = create_engine(queue_url(url).replace("postgresql:", "postgresql+psycopg:"))
    schema = "dbos." if engine.dialect.name == "postgresql" else ""
    with engine.begin() as connection:
        connection.execute(
            text(f"UPDATE {schema}workflow_status SET status = 'PENDING', executor_id = :worker"),
            {"worker": worker},
        )
    engine.dispose()


def test_the_queue_lies_beside_the_store() -> None:
    assert queue_url("sqlite:///var/five_lines.sqlite") == "sqlite:///var/five_lines.queue.sqlite"
    assert queue_url("postgresql+psycopg://me:secret@host/name") == "postgresql://me:secret@host/name"


def test_enqueuing_twice_is_once(queue: Queue, client: DBOSClient) -> None:
    queue.enqueue(17)
    queue.enqueue(17)
    queue.enqueue(17, attempt=2)
    assert statuses(client) == {entry_id(17, 1): "ENQUEUED", entry_id(17, 2): "ENQUEUED"}


def test_learners_go_before_judging_again(queue: Queue, client: DBOSClient) -> None:
    queue.enqueue(1, attempt=2)
    queue.enqueue(2)
    priorities = {entry.workflow_id: entry.priority for entry in client.list_workflows()}
    assert priorities[entry_id(2, 1)] < priorities[entry_id(1, 2)]


def test_an_entry_that_cannot_be_queued_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    queue = Queue(f"sqlite:///{tmp_path}/never_migrated.sqlite")
    with caplog.at_level(logging.ERROR):
        queue.enqueue(1)
    queue.close()
    assert "submission-1-attempt-1 is stored but not queued" in caplog.text


def test_sweep_enqueues_what_was_only_stored(
    engine: Engine, queue: Queue, workers: Workers, client: DBOSClient, submission: int
) -> None:
    queue.sweep(engine, workers)
    queue.sweep(engine, workers)
    queue.enqueue(submission)  # the site, late
    assert statuses(client) == {entry_id(submission, 1): "ENQUEUED"}


def test_sweep_enqueues_runs_that_must_still_end(
    engine: Engine, queue: Queue, workers: Workers, client: DBOSClient, learner: int
) -> None:
    stored, queued, stopped = (runs.start(engine, learner, ["print(1)"]).id or 0 for _ in range(3))
    queue.enqueue_run_soon(queued, 0)
    runs.stop(engine, stopped)
    queue.sweep(engine, workers)
    assert statuses(client) == {f"run-{stored}": "ENQUEUED", f"run-{queued}": "ENQUEUED"}


def test_a_run_that_was_stopped_leaves_the_queue(queue: Queue, client: DBOSClient, url: str) -> None:
    for id_ in (1, 2, 3):
        queue.enqueue_run_soon(id_, 0)
    queue.withdraw_run_soon(2)
    queue.withdraw_run_soon(4)  # never queued
    queue.close()
    assert statuses(client) == {"run-1": "ENQUEUED", "run-3": "ENQUEUED"}


def test_sweep_enqueues_anew_what_ended_without_a_verdict(
    engine: Engine, queue: Queue, workers: Workers, client: DBOSClient, submission: int
) -> None:
    queue.enqueue(submission)
    client.cancel_workflow(entry_id(submission, 1))
    queue.sweep(engine, workers)
    assert statuses(client) == {entry_id(submission, 1): "ENQUEUED"}


def test_sweep_leaves_what_is_judged_alone(
    engine: Engine, queue: Queue, workers: Workers, client: DBOSClient, submission: int
) -> None:
    verdict = Verdict(exercise="tiny", exercise_hash="0", status=Status.PASSED, seed=1, duration_ms=1.0)
    assert store.finish(engine, submission, 1, verdict)
    queue.sweep(engine, workers)
    assert statuses(client) == {}


def test_sweep_takes_from_the_dead_and_not_from_the_living(
    url: str,
    engine: Engine,
    queue: Queue,
    workers: Workers,
    client: DBOSClient,
    submission: int,
    another: Another,
) -> None:
    queue.enqueue(submission)
    hand_to(url, another.name)
    queue.sweep(engine, workers)
    assert statuses(client) == {entry_id(submission, 1): "PENDING"}
    another.kill()
    queue.sweep(engine, workers)
    assert statuses(client) == {entry_id(submission, 1): "ENQUEUED"}


def test_sweep_takes_back_what_this_worker_does_not_know_of(
    url: str, engine: Engine, queue: Queue, workers: Workers, client: DBOSClient, submission: int
) -> None:
    """The answer to a claim may be lost with a connection."""
    id_ = entry_id(submission, 1)
    queue.enqueue(submission)
    workers.join()
    hand_to(url, workers.own_name)
    for _ in range(3):
        queue.sweep(engine, workers, {id_})
    queue.sweep(engine, workers)
    assert statuses(client) == {id_: "PENDING"}  # it may be on its way
    queue.sweep(engine, workers)
    assert statuses(client) == {id_: "ENQUEUED"}


def test_ended_entries_are_forgotten(queue: Queue, client: DBOSClient, monkeypatch: pytest.MonkeyPatch) -> None:
    queue.enqueue(1)
    queue.enqueue(2)
    client.cancel_workflow(entry_id(1, 1))
    queue.forget_ended()
    assert entry_id(1, 1) in statuses(client)
    monkeypatch.setattr(queue_module, "KEEP_ENDED_S", -60)
    queue.forget_ended()
    assert statuses(client) == {entry_id(2, 1): "ENQUEUED"}
