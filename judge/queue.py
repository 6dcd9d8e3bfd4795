"""The durable queue: which attempt at judging which submission, or which run, comes next, and who has it in hand.

Theory of operation. DBOS Transact keeps the queue in tables: beside the store in a file of its own (SQLite,
one writer a file), or in the store's database under the schema `dbos` (PostgreSQL). An entry is a workflow
named after submission and attempt, or after the run, so that enqueuing twice is once. It carries integers and
nothing else, for DBOS pickles.

The store is the truth. Whatever the two disagree about, `Queue.sweep` settles in the store's favour:

- stored, not queued: the site died between the two. Enqueued.
- in the hands of a worker that is gone (`judge.presence`), or of this one, which knows nothing of it: resumed, for
  anybody to take.
- ended, without a verdict (or without the run's end): a database failed in between. Enqueued anew.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from dbos import DBOS, DBOSClient, DBOSConfig, EnqueueOptions
from sqlalchemy import Engine, make_url

from judge import database, runs, store
from judge.presence import Workers

APPLICATION = "five-lines"
VERSION = "1"  # of what an entry means; a worker takes only entries of its version
NAME = "judging"
WORKFLOW = "judge"
RUN_WORKFLOW = "run"
POLL_S = 0.05

# Less is sooner. It goes by the submissions' numbers and not by DBOS's moments of enqueuing: should the clock be put
# back, nobody who came later goes first. Judging again after a suite was corrected waits until no learner does.
REJUDGING_PRIORITY = 2**30

KEEP_ENDED_S = 3600
CLOSE_S = 2.0

log = logging.getLogger(__name__)
logging.getLogger("dbos").setLevel(logging.WARNING)


def queue_url(url: str | None = None) -> str:
    """Where the queue of the store at `url` is kept."""
    parsed = make_url(url or database.database_url())
    if parsed.get_backend_name() == "postgresql":
        return parsed.set(drivername="postgresql").render_as_string(hide_password=False)
    path = Path(parsed.database or "")
    return parsed.set(database=str(path.with_suffix(f".queue{path.suffix}"))).render_as_string()


def migrate(url: str | None = None) -> None:
    """Create or upgrade the queue's tables."""
    where = queue_url(url)
    if where.startswith("sqlite"):
        # WAL is a property of the file; DBOS itself does not ask for it.
        engine = database.connect(where)
        engine.connect().close()
        engine.dispose()
    DBOS.migrate(where)


def settings(url: str | None, worker: str) -> DBOSConfig:
    """How a worker launches DBOS. Nothing of it reaches beyond the database."""
    return {
        "name": APPLICATION,
        "system_database_url": queue_url(url),
        "application_version": VERSION,
        "executor_id": worker,
        "run_migrations": False,
        "log_level": "WARNING",
    }


def entry_id(submission_id: int, attempt: int) -> str:
    """The name of an entry, the same for all who enqueue it."""
    return f"submission-{submission_id}-attempt-{attempt}"


class _Entry(NamedTuple):
    """What is enqueued: a workflow's name, its arguments, and when its turn is."""

    id: str
    workflow: str
    arguments: tuple[int, ...]
    priority: int


def run_entry_id(run_id: int) -> str:
    """The name of a run's entry."""
    return f"run-{run_id}"


def _judging(submission_id: int, attempt: int) -> _Entry:
    priority = submission_id % REJUDGING_PRIORITY + (1 if attempt == 1 else REJUDGING_PRIORITY)
    return _Entry(entry_id(submission_id, attempt), WORKFLOW, (submission_id, attempt), priority)


def _run(run_id: int, after: int) -> _Entry:
    """A run stands behind the submission that was the newest when it came."""
    return _Entry(run_entry_id(run_id), RUN_WORKFLOW, (run_id,), after % REJUDGING_PRIORITY + 1)


class Queue:
    """The queue seen from outside: what the site and the sweep do. Threads may share it."""

    def __init__(self, url: str | None = None) -> None:
        self._client = DBOSClient(
            system_database_url=queue_url(url),
            application_name=APPLICATION,
            # A site that cannot enqueue goes on: the submission is stored, and the sweep finds it.
            retry_connection_errors=False,
            lazy=True,
        )
        self._unknown: set[str] = set()  # claimed for this worker, which did not have it in hand at the last sweep
        self._soon: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._doing = threading.Thread(target=self._do_what_waits, name="queue", daemon=True)
        self._doing.start()

    def close(self) -> None:
        self._soon.put(None)
        self._doing.join(CLOSE_S)  # the rest is the sweep's
        self._client.destroy()

    def open_for(self, slots: int) -> None:
        """Set how many entries each worker takes at a time: one number, the last one set, for all of them."""
        self._client.register_queue(NAME, worker_concurrency=slots, polling_interval_sec=POLL_S)

    def enqueue(self, submission_id: int, attempt: int = 1) -> None:
        """Put a stored attempt into the queue; nothing if it is there. It does not raise: see `sweep`."""
        self._try_to_enqueue(_judging(submission_id, attempt))

    def enqueue_soon(self, submission_id: int) -> None:
        """As `enqueue`, without waiting: while another process locks the queue's file, DBOS tries for ever."""
        self._soon.put(lambda: self.enqueue(submission_id))

    def enqueue_run_soon(self, run_id: int, after: int) -> None:
        """The same for a stored run."""
        self._soon.put(lambda: self._try_to_enqueue(_run(run_id, after)))

    def withdraw_run_soon(self, run_id: int) -> None:
        """Take a run that its reader has ended out of the queue, if it waits there still: others wait behind it.

        One that is taken at this very moment goes from under its worker: DBOS says so in the log, and nothing is lost.
        """
        self._soon.put(lambda: self._try_to_withdraw(run_entry_id(run_id)))

    def _do_what_waits(self) -> None:
        while (do := self._soon.get()) is not None:
            do()

    def _try_to_enqueue(self, entry: _Entry) -> None:
        try:
            self._enqueue(entry)
        except Exception:
            log.exception("%s is stored but not queued; a worker's sweep will do it", entry.id)

    def _try_to_withdraw(self, id_: str) -> None:
        try:
            if self._client.list_workflows(workflow_ids=[id_], status="ENQUEUED", load_input=False, load_output=False):
                self._client.delete_workflows([id_])
        except Exception:
            log.exception("%s has ended but is queued; a worker will find out", id_)

    def _enqueue(self, entry: _Entry) -> None:
        options: EnqueueOptions = {
            "queue_name": NAME,
            "workflow_name": entry.workflow,
            "workflow_id": entry.id,
            "priority": entry.priority,
        }
        self._client.enqueue(options, *entry.arguments)

    def sweep(self, engine: Engine, workers: Workers, in_hand: Collection[str] = ()) -> None:
        """Make the queue agree with the store. This worker has the entries `in_hand`."""
        # In this order, what is judged in between seems to have ended without a verdict. Enqueued for
        # nothing, it ends at once: `store.begin` and `runs.begin` know better.
        judgings = [_judging(u.submission_id, u.attempt) for u in store.unfinished(engine)]
        unfinished = {entry.id: entry for entry in [*judgings, *(_run(*run) for run in runs.unfinished(engine))]}
        live = {
            entry.workflow_id: entry
            for entry in self._client.list_workflows(
                queue_name=NAME, status=["ENQUEUED", "PENDING"], load_input=False, load_output=False
            )
        }
        for id_ in unfinished.keys() - live.keys():
            ended = self._client.list_workflows(workflow_ids=[id_], load_input=False, load_output=False)
            if ended:
                self._client.delete_workflows([id_])
            self._enqueue(unfinished[id_])
        pending = {entry.workflow_id: entry.executor_id for entry in live.values() if entry.status == "PENDING"}
        # A claim whose answer was lost stays with us. One that is as new as this sweep may be on its way to us yet.
        unknown = {id_ for id_, holder in pending.items() if holder == workers.own_name} - set(in_hand)
        lost = unknown & self._unknown
        self._unknown = unknown - lost
        if lost:
            self._client.resume_workflows(sorted(lost), queue_name=NAME)
        for holder in set(pending.values()) - {None, workers.own_name}:
            with workers.gone(str(holder)) as gone:
                if gone:
                    self._resume_what(str(holder))

    def _resume_what(self, holder: str) -> None:
        held = self._client.list_workflows(
            queue_name=NAME, status="PENDING", executor_id=holder, load_input=False, load_output=False
        )
        self._client.resume_workflows([entry.workflow_id for entry in held], queue_name=NAME)

    def forget_ended(self) -> None:
        """Delete entries that ended long enough ago: what came of them is in the store."""
        before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - KEEP_ENDED_S))
        while ended := self._client.list_workflows(
            name=[WORKFLOW, RUN_WORKFLOW], completed_before=before, limit=1000, load_input=False, load_output=False
        ):
            self._client.delete_workflows([entry.workflow_id for entry in ended])
