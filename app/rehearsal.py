"""The programs of one exercise, judged as learners' are, and judged again whenever its folder changes.

They go through the store and the queue like any submission: what judges them is what will judge learners. Few at a
time, so that what the author submits by hand does not wait behind them all, and nothing of an old version for long.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine

from app.words import N_
from judge import store
from judge.exercise import Exercise, Mistake, Problem
from judge.queue import Queue
from judge.shelves import Shelves
from judge.verdict import Status, Verdict

AT_A_TIME = 2
POLL_S = 0.1
REST_S = 2.0  # until the worker has looked at the folder again

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Program:
    """A program of the folder: one that makes a mistake, one that is right, or the starter."""

    name: str
    source: str
    mistake: Mistake | None = None
    right: bool = False


@dataclass(frozen=True)
class Outcome:
    """Whether a program came out as it should, in a few words."""

    good: bool
    msgid: str
    mistakes: str = ""


@dataclass(frozen=True)
class Round:
    """The folder at one moment. `exercise` is its last good version, if it has any."""

    version: str
    exercise: Exercise | None = None
    problem: Problem | None = None
    programs: tuple[Program, ...] = ()
    verdicts: dict[str, Verdict] = field(default_factory=dict)  # by name of a program; they arrive one by one

    @property
    def good(self) -> int:
        judged = [(program, self.verdicts.get(program.name)) for program in self.programs]
        return sum(outcome(program, verdict).good for program, verdict in judged if verdict is not None)


def programs(exercise: Exercise) -> tuple[Program, ...]:
    """All programs of a folder, the wrong ones first."""
    makes = [(path, mistake) for mistake in exercise.mistakes.values() for path in mistake.files]
    return (
        *(Program(f"wrong/{path.name}", _text(path), mistake) for path, mistake in makes),
        Program("starter.py", exercise.starter),
        Program("solution.py", exercise.solution, right=True),
        *(Program(f"correct/{path.name}", _text(path), right=True) for path in exercise.correct),
    )


def outcome(program: Program, verdict: Verdict) -> Outcome:
    named = {diagnosis.mistake for diagnosis in verdict.diagnoses}
    passed = verdict.status == Status.PASSED
    if verdict.status == Status.FAULT:
        return Outcome(False, N_("The judge broke"))
    if program.right:
        return Outcome(passed, N_("Passes") if passed else N_("Does not pass, and is right"))
    if passed:
        return Outcome(False, N_("Passes, and is wrong"))
    if program.mistake is None:
        return Outcome(True, N_("Does not pass yet"))
    if named == {program.mistake.name}:
        return Outcome(True, N_("Recognised"))
    return Outcome(False, N_("Taken for {mistakes}") if named else N_("Not recognised"), ", ".join(sorted(named)))


class Rehearsal:
    """Keeps `round` as the folder is now, and fills in its verdicts."""

    def __init__(self, exercise_id: str, shelves: Shelves, engine: Engine, queue: Queue) -> None:
        self.exercise_id = exercise_id
        self.round = Round("")
        self._shelves = shelves
        self._engine = engine
        self._queue = queue
        self._author = 0  # a learner of the store, another one for each version
        self._waiting: deque[Program] = deque()
        self._rest_until = 0.0
        self._in_hand: dict[int, Program] = {}

    @contextmanager
    def running(self) -> Iterator[None]:
        """Rehearse on a thread while the block runs."""
        stop = threading.Event()
        thread = threading.Thread(target=self._run, args=(stop,), name="rehearsal")
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def _run(self, stop: threading.Event) -> None:
        while not stop.wait(POLL_S):
            try:
                self._look()
                self._collect()
                self._hand_in()
            except Exception:
                log.exception("could not go on; trying again")

    def _look(self) -> None:
        """Begin anew if the exercise is another; if only what is wrong with the folder is, keep the verdicts."""
        shelf = self._shelves.shelf()
        exercise = shelf.exercises.get(self.exercise_id)
        problem = next((problem for problem in shelf.problems if problem.folder.name == self.exercise_id), None)
        version = hashlib.sha256(f"{exercise and exercise.hash} {problem}".encode()).hexdigest()[:12]
        before = self.round
        if version == before.version:
            return
        if exercise is None or (before.exercise is not None and before.exercise.hash == exercise.hash):
            self.round = Round(version, before.exercise, problem, before.programs, before.verdicts)
            return
        self.round = Round(version, exercise, problem, programs(exercise))
        self._author = store.draw_learner()
        self._waiting = deque(self.round.programs)
        self._in_hand = {}  # those of the version before are judged for nobody

    def _collect(self) -> None:
        for submission_id, program in list(self._in_hand.items()):
            verdict = store.verdict_of(self._engine, submission_id)
            if verdict is None:
                continue
            del self._in_hand[submission_id]
            assert self.round.exercise is not None
            if verdict.exercise_hash == self.round.exercise.hash:
                self.round.verdicts[program.name] = verdict
            else:  # the worker had not seen the change yet, or has seen the next one, or has no version that is whole
                self._waiting.append(program)
                self._rest_until = time.monotonic() + REST_S

    def _hand_in(self) -> None:
        while self._waiting and len(self._in_hand) < AT_A_TIME and time.monotonic() >= self._rest_until:
            submission_id = store.submit(self._engine, self._author, self.exercise_id, self._waiting[0].source)
            self._in_hand[submission_id] = self._waiting.popleft()
            self._queue.enqueue(submission_id)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
