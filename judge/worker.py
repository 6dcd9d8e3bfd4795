"""The worker: a process that takes submissions from the queue, has them judged, and stores the verdicts.

    python -m judge.worker [--slots 2]

Theory of operation. Each slot holds one warm Judge and judges one submission at a time, on a thread that
DBOS lends it; the main thread sweeps (`Queue.sweep`) and waits for the signal to stop. Judging knows nothing
of the database: here its events are stored as they come, for the browser, and its verdict at the end.

Killed at any point, it loses nothing: what it had in hand is unfinished in the store, and is judged from the
beginning by whoever finds it. Told to stop (SIGTERM, SIGINT), it takes nothing more, finishes what it has in
hand, and gives back what takes longer than those have patience who send such signals.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, NoReturn, Protocol

from dbos import DBOS
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge import store
from judge.exercise import Exercise, configured_roots, load_exercises
from judge.grade import Judge
from judge.migrations import NotMigrated, check
from judge.presence import Workers
from judge.queue import WORKFLOW, Queue, settings
from judge.sandbox.wall import NoWall
from judge.verdict import Event, Finished, Message, Status, Verdict

SLOTS = 2
SWEEP_S = 2.0
TIDY_S = 600.0
PATIENCE_S = 8  # service managers send SIGKILL ten seconds after SIGTERM
MAX_TRIES = 3

UNAVAILABLE = "This exercise cannot be judged at the moment. Your submission is kept."
BROKEN = "Something went wrong on our side while your solution was judged. Your submission is kept."
INTERRUPTED = "Judging your solution was interrupted again and again, on our side. Your submission is kept."

log = logging.getLogger("judge.worker")


class Grader(Protocol):
    """What a worker needs of a Judge."""

    def grade(self, exercise: Exercise, source: bytes) -> Iterator[Event]: ...


MakeGrader = Callable[[], AbstractContextManager[Grader]]


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


class Shelves:
    """The exercises, read again when they changed on disk."""

    def __init__(self, roots: list[Path]) -> None:
        self._roots = [root.resolve() for root in roots]
        self._lock = threading.Lock()
        self._read()

    def get(self, exercise_id: str) -> Exercise | None:
        """The exercise as it is now; None if there is none of this name, or it is broken."""
        with self._lock:
            exercise = self._shelf.exercises.get(exercise_id)
            if exercise is None or self._changed(exercise):
                self._read()
            return self._shelf.exercises.get(exercise_id)

    def _changed(self, exercise: Exercise) -> bool:
        folders = [*self._roots, exercise.root.resolve()]
        return any(self._stamps.get(folder) != _stamp(folder) for folder in folders)

    def _read(self) -> None:
        # Stamped first: what changes while it is read is read once more.
        folders = [*self._roots, *(path for root in self._roots for path in _folders(root))]
        self._stamps = {folder: _stamp(folder) for folder in folders}
        self._shelf = load_exercises(self._roots)
        for problem in self._shelf.problems:
            log.warning("%s: %s: %s", problem.folder, problem.file, problem.cause)


def _folders(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _stamp(folder: Path) -> list[tuple[str, int, int]]:
    """Something that is another when a file in the folder, or in a folder in it, is. No file is opened."""
    try:
        entries = [entry for inside in [folder, *_folders(folder)] for entry in os.scandir(inside)]
        return sorted((entry.path, entry.stat().st_mtime_ns, entry.stat().st_size) for entry in entries)
    except OSError:  # it is not there, or is changing at this moment
        return []


class InHand(NamedTuple):
    """An attempt that is being judged here."""

    submission_id: int
    attempt: int


class Worker:
    """Slots and what goes on in them."""

    def __init__(
        self, engine: Engine, roots: list[Path], slots: int, make_grader: MakeGrader, stop: threading.Event
    ) -> None:
        self._engine = engine
        self._shelves = Shelves(roots)
        self._stop = stop
        self._in_hand: set[InHand] = set()
        self._slots = [Slot(make_grader) for _ in range(slots)]
        self._free: SimpleQueue[Slot] = SimpleQueue()
        for slot in self._slots:
            slot.grader()  # NoWall is known before anything is taken in hand
            self._free.put(slot)

    def judge(self, submission_id: int, attempt: int) -> None:
        """Judge one attempt and store its verdict. This is what an entry of the queue asks for."""
        in_hand = InHand(submission_id, attempt)
        self._in_hand.add(in_hand)
        slot = self._free.get()
        try:
            submission = store.begin(self._engine, submission_id, attempt)
            if submission is None:  # judged already, or to be judged anew as a later attempt
                return
            verdict = self._verdict(slot, submission)
            if verdict is None:
                store.give_back(self._engine, submission_id, attempt)
            else:
                store.finish(self._engine, submission_id, attempt, verdict)
        except Exception as failure:
            slot.close()  # its judge may be in the middle of something
            if isinstance(failure, OperationalError | NoWall):
                # The database or the machine fails, not the submission: its tries stay. The sweep asks again.
                store.give_back(self._engine, submission_id, attempt)
            raise
        finally:
            self._free.put(slot)
            self._in_hand.discard(in_hand)

    def _verdict(self, slot: Slot, submission: store.Submission) -> Verdict | None:
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

    def _graded(self, slot: Slot, submission: store.Submission, exercise: Exercise) -> Verdict | None:
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
            if not store.add_event(self._engine, submission.id, submission.attempt, event):
                return None

    def give_back(self) -> bool:
        """Put what is still in hand among the waiting again; whether there was anything."""
        in_hand = list(self._in_hand)
        for submission_id, attempt in in_hand:
            log.warning("submission %d: given back", submission_id)
            store.give_back(self._engine, submission_id, attempt)
        return bool(in_hand)

    def close(self) -> None:
        for slot in self._slots:
            slot.close()


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
    engine = store.connect(url)
    check(engine)
    worker = Worker(engine, roots, slots, make_grader, stop)
    workers = Workers(url)
    queue = Queue(url)
    DBOS(config=settings(url, workers.join()))

    # Sweeping decides what is judged again, and `tries` how often; DBOS need not count as well.
    @DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)
    def judge(submission_id: int, attempt: int) -> None:
        worker.judge(submission_id, attempt)

    queue.open_for(slots)
    DBOS.launch()
    log.info("%s is ready, %d slots", workers.own_name, slots)
    try:
        _sweep_until(stop, engine, queue, workers)
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


def _sweep_until(stop: threading.Event, engine: Engine, queue: Queue, workers: Workers) -> None:
    tidied = time.monotonic() - TIDY_S
    while True:
        workers.check()
        try:
            queue.sweep(engine, workers)
            if time.monotonic() - tidied >= TIDY_S:
                tidied = time.monotonic()
                queue.forget_ended()
                store.forget_events(engine)
        except Exception:  # a database that is away comes back
            log.exception("could not sweep; trying again")
        if stop.wait(SWEEP_S):
            return


def main(make_grader: MakeGrader = Judge) -> int:
    parser = argparse.ArgumentParser(prog="python -m judge.worker", description="Judge what learners submit.")
    parser.add_argument("--slots", type=int, default=SLOTS, help="submissions judged at a time (default: 2)")
    slots = parser.parse_args().slots
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        run(store.database_url(), configured_roots(), slots, make_grader, stop)
    except (NoWall, NotMigrated) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
