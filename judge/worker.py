"""The worker: a process that takes submissions from the queue, has them judged, and stores the verdicts.

Runs, which readers of a page ask for, it takes from the same queue into the same slots.

    python -m judge.worker [--slots 2]

Theory of operation. Each slot holds one warm Judge and judges one submission at a time, on a thread that
DBOS lends it; the main thread sweeps (`Queue.sweep`) and waits for the signal to stop. Judging knows nothing
of the database: here its events are stored as they come, for the browser, and its verdict at the end.

Where the database fails (locked, full, away), or the temporary folder's disk is full, it waits: a verdict once found is
stored when the database is back. Killed at any point, it loses nothing: what it had in hand is unfinished in the store,
and is judged from the beginning by whoever finds it. Told to stop (SIGTERM, SIGINT), it takes nothing more, finishes
what it has in hand, and gives back what takes longer than those have patience who send such signals.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn, Protocol, TypeVar

from dbos import DBOS
from sqlalchemy import Engine

from judge import database, runs, store, tables
from judge.exercise import Exercise, configured_roots
from judge.grade import Judge
from judge.migrations import NotMigrated, check
from judge.presence import Workers
from judge.queue import RUN_WORKFLOW, WORKFLOW, Queue, entry_id, run_entry_id, settings
from judge.run import BROKEN as RUN_BROKEN
from judge.run import Ended, Printed, Program
from judge.sandbox.wall import Killed, NoWall
from judge.shelves import Shelves
from judge.verdict import Event, Finished, Message, Status, Verdict

SLOTS = 2
SWEEP_S = 2.0
TIDY_S = 600.0
PATIENCE_S = 8  # service managers send SIGKILL ten seconds after SIGTERM
MAX_TRIES = 3
LOCK_PATIENCE_S = database.PATIENCE_S
TRY_AGAIN_S = 1.0
ROOM_BYTES = 32 * 2**20  # what judging may need of the temporary folder: a copy of an exercise, a reference's files

UNAVAILABLE = "This exercise cannot be judged at the moment. Your submission is kept."
BROKEN = "Something went wrong on our side while your solution was judged. Your submission is kept."
INTERRUPTED = "Judging your solution was interrupted again and again, on our side. Your submission is kept."

log = logging.getLogger("judge.worker")


class Grader(Protocol):
    """What a worker needs of a Judge."""

    def grade(self, exercise: Exercise, source: bytes) -> Iterator[Event]: ...

    def run(self, program: Program) -> Generator[Printed | Ended, None, None]: ...


MakeGrader = Callable[[], AbstractContextManager[Grader]]
T = TypeVar("T")


class Slot:
    """A place to judge one submission at a time, with its warm judge."""

    def __init__(self, make_grader: MakeGrader) -> None:
        self._make_grader = make_grader
        self._stack = ExitStack()
        self._grader: Grader | None = None

    def grader(self) -> Grader:
        """The slot's judge, made anew where there is none."""
        if self._grader is None:
            self._grader = self._stack.enter_context(self._make_grader())
        return self._grader

    def close(self) -> None:
        """End the judge; the slot stays usable."""
        self._grader = None
        self._stack.close()


class Worker:
    """Slots and what goes on in them."""

    def __init__(
        self, engine: Engine, roots: list[Path], slots: int, make_grader: MakeGrader, stop: threading.Event
    ) -> None:
        self._engine = engine
        self._shelves = Shelves(roots)
        self._stop = stop
        self._in_hand: dict[str, Callable[[], None]] = {}  # what is being done here, and how to give it back
        self._slots = [Slot(make_grader) for _ in range(slots)]
        self._free: SimpleQueue[Slot] = SimpleQueue()
        for slot in self._slots:
            slot.grader()  # NoWall is known before anything is taken in hand
            self._free.put(slot)
        self._shelves.shelf()  # nobody waits for it then

    def judge(self, submission_id: int, attempt: int) -> None:
        """Judge one attempt and store its verdict. This is what an entry of the queue asks for."""
        give_back = partial(store.give_back, self._engine, submission_id, attempt)
        with self._slot(entry_id(submission_id, attempt), give_back) as slot:
            if not self._room():  # told to stop: the next worker's sweep finds it
                return
            submission = self._patiently(lambda: store.begin(self._engine, submission_id, attempt))
            if submission is None:  # judged already, or to be judged anew as a later attempt
                return
            verdict = self._verdict(slot, submission)
            if verdict is None:
                self._patiently(give_back)
            else:
                self._patiently(lambda: store.finish(self._engine, submission_id, attempt, verdict))

    def run(self, run_id: int) -> None:
        """Run a reader's code and store what it prints. This is what the other kind of entry asks for."""
        with self._slot(run_entry_id(run_id), partial(runs.give_back, self._engine, run_id)) as slot:
            if not self._room():
                return
            run = self._patiently(lambda: runs.begin(self._engine, run_id))
            if run is None:  # ended already, or stopped by its reader
                return
            ended = self._ended(slot, run)
            if ended is not None:
                self._patiently(lambda: runs.finish(self._engine, run_id, ended))

    @contextmanager
    def _slot(self, name: str, give_back: Callable[[], None]) -> Iterator[Slot]:
        """A slot, for the queue's entry `name`; it is in hand until the slot is free again."""
        self._in_hand[name] = give_back
        slot = self._free.get()
        try:
            yield slot
        except Exception as failure:
            slot.close()  # its judge may be in the middle of something
            if isinstance(failure, (*database.AWAY, NoWall)):
                # The database or the machine fails, not what was sent: its tries stay. The sweep asks again.
                give_back()
            raise
        finally:
            self._free.put(slot)
            self._in_hand.pop(name, None)

    def _ended(self, slot: Slot, run: tables.Run) -> Ended | None:
        """How the run ended; None if its reader has ended it."""
        assert run.id is not None
        if run.tries > MAX_TRIES:
            return RUN_BROKEN
        with closing(slot.grader().run(Program.model_validate_json(run.program))) as events:
            for event in events:
                if isinstance(event, Ended):
                    return event
                if not self._printed(run.id, event):
                    return None
        return RUN_BROKEN

    def _printed(self, run_id: int, printed: Printed) -> bool:
        return self._patiently(lambda: runs.add_printed(self._engine, run_id, printed))

    def _patiently(self, use_database: Callable[[], T]) -> T:
        """A database that is locked, full or away comes back, and what was found meanwhile is then still right."""
        while True:
            try:
                return use_database()
            except database.AWAY as failure:
                if self._stop.wait(TRY_AGAIN_S):
                    raise
                log.error("the database fails, trying again: %s", getattr(failure, "orig", failure))

    def _room(self) -> bool:
        """Wait for room in the temporary folder, without which judging would fail; False when told to stop."""
        while (free := shutil.disk_usage(tempfile.gettempdir()).free) < ROOM_BYTES:
            log.error("%s is full (%d KiB are free); waiting", tempfile.gettempdir(), free // 1024)
            if self._stop.wait(TRY_AGAIN_S):
                return False
        return True

    def _verdict(self, slot: Slot, submission: tables.Submission) -> Verdict | None:
        """What is to be stored; None when that is for another to say."""
        exercise = self._shelves.get(submission.exercise)
        if exercise is None:
            return _fault(submission.exercise, "", UNAVAILABLE)
        if submission.tries > MAX_TRIES:
            return _fault(exercise.id, exercise.hash, INTERRUPTED)
        verdict = self._graded(slot, submission, exercise)
        if verdict is None or verdict.status is not Status.FAULT:
            return verdict
        log.error("submission %s: fault: %s", submission.id, verdict.message)
        if self._stop.is_set():  # the signal that stops us may have hit the judge as well
            return None
        slot.close()
        return self._graded(slot, submission, exercise)

    def _graded(self, slot: Slot, submission: tables.Submission, exercise: Exercise) -> Verdict | None:
        """The verdict of one grading; None if the attempt is no longer the current one."""
        assert submission.id is not None
        events = slot.grader().grade(exercise, submission.source)
        while True:
            try:
                event = next(events, None)
            except Exception:
                log.exception("submission %d: the judge broke", submission.id)
                event = None
            if event is None:  # it ended, or broke, before it had a verdict
                return _fault(exercise.id, exercise.hash, BROKEN)
            if isinstance(event, Finished):
                return event.verdict
            if not self._stored(submission.id, submission.attempt, event):
                return None

    def _stored(self, submission_id: int, attempt: int, event: store.Stored) -> bool:
        return self._patiently(lambda: store.add_event(self._engine, submission_id, attempt, event))

    def in_hand(self) -> set[str]:
        """The queue's entries that are being worked on, or wait for a slot here."""
        return set(self._in_hand)

    def give_back(self) -> bool:
        """Put what is still in hand among the waiting again; whether there was anything."""
        in_hand = list(self._in_hand.items())
        for name, give_back in in_hand:
            log.warning("%s: given back", name)
            with suppress(*database.AWAY):  # the sweep of the next worker finds it too, then at the cost of a try
                give_back()
        return bool(in_hand)

    def close(self) -> None:
        for slot in self._slots:
            slot.close()
        self._shelves.close()


def _fault(exercise_id: str, exercise_hash: str, sentence: str) -> Verdict:
    return Verdict(
        exercise=exercise_id,
        exercise_hash=exercise_hash,
        status=Status.FAULT,
        message=Message(template=sentence),
        seed=0,
        duration_ms=0.0,
    )


def run(url: str, roots: list[Path], slots: int, make_grader: MakeGrader, stop: threading.Event) -> None:
    """Work until told to stop."""
    engine = database.connect(url, patience_s=LOCK_PATIENCE_S, durable=False)
    check(engine)
    worker = Worker(engine, roots, slots, make_grader, stop)
    workers = Workers(url)
    queue = Queue(url)
    DBOS(config=settings(url, workers.join()))

    # Sweeping decides what is judged again, and `tries` how often; DBOS need not count as well.
    @DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)
    def judge(submission_id: int, attempt: int) -> None:
        worker.judge(submission_id, attempt)

    @DBOS.workflow(name=RUN_WORKFLOW, max_recovery_attempts=None)
    def run_(run_id: int) -> None:
        worker.run(run_id)

    queue.open_for(slots)
    DBOS.launch()
    log.info("%s is ready, %d slots", workers.own_name, slots)
    try:
        _sweep_until(stop, engine, queue, workers, worker)
    except Exception:
        # Its name may be another's by now. As with a kill, nothing is lost; whoever started it starts it again.
        log.critical("stopping at once", exc_info=True)
        _end(1)
    DBOS.destroy(workflow_completion_timeout_sec=PATIENCE_S)
    given_back = worker.give_back()
    worker.close()
    queue.close()
    workers.close()
    engine.dispose()
    if given_back:
        _end(0)


def _end(code: int) -> NoReturn:
    """End without waiting for threads that still judge."""
    logging.shutdown()
    os._exit(code)


def _sweep_until(stop: threading.Event, engine: Engine, queue: Queue, workers: Workers, worker: Worker) -> None:
    tidied = time.monotonic() - TIDY_S
    while True:
        workers.check()
        try:
            queue.sweep(engine, workers, worker.in_hand())
            if time.monotonic() - tidied >= TIDY_S:
                tidied = time.monotonic()
                queue.forget_ended()
                store.forget_events(engine)
                runs.forget(engine)
        except Exception:  # a database that is away comes back
            log.exception("could not sweep; trying again")
        if stop.wait(SWEEP_S):
            return


def _stop_with_parent(pid: int, stop: threading.Event) -> None:
    """Where a site is killed, its worker goes too: the next site starts one of its own."""
    while os.getppid() == pid and not stop.wait(1.0):
        pass
    stop.set()


def main(make_grader: MakeGrader = Judge) -> int:
    parser = argparse.ArgumentParser(prog="python -m judge.worker", description="Judge what learners submit.")
    parser.add_argument("--slots", type=int, default=SLOTS, help="submissions judged, or runs, at a time (default: 2)")
    parser.add_argument("--beside", metavar="PID", type=int, help="stop when this process, which started us, has ended")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    if options.beside is not None:
        threading.Thread(target=_stop_with_parent, args=(options.beside, stop), daemon=True).start()
    try:
        run(database.database_url(), configured_roots(), options.slots, make_grader, stop)
    except (NoWall, NotMigrated) as problem:
        print(problem, file=sys.stderr)
        return 1 if isinstance(problem, Killed) else os.EX_CONFIG  # whoever keeps us running need not try again
    return 0


if __name__ == "__main__":
    sys.exit(main())
