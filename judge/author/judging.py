"""Judges many programs: behind the wall with warm judges, one a core and two at most, and in trusted trials."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import connection, forkserver
from multiprocessing.context import BaseContext
from typing import ParamSpec, Self, TypeVar

from judge.exercise import Exercise
from judge.grade import Judge
from judge.sandbox.wall import JUDGE, ONE_THREAD, NoWall
from judge.verdict import CheckEnded, Finished, Status, Verdict

Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, of how much
WORKERS = min(2, os.cpu_count() or 1)
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Sitting:
    """One program to judge: `exercise` may have other limits, or no mistakes where no diagnosis is wanted."""

    exercise: Exercise
    source: bytes
    seed: int
    sample: bool = False
    until_failed: bool = False  # stop at the first check that fails; the verdict then holds the checks so far


class Judging:
    """Warm judges and a pool of processes for our own programs. Use it as a context manager."""

    def __init__(self) -> None:
        self._judges: list[Judge] = []
        self._own = threading.local()
        self.without_wall = ""  # why there is no wall here
        self._threads = ThreadPoolExecutor(WORKERS, initializer=self._start_judge)
        self._processes: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        for judge in self._judges:
            judge.close()
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)

    def verdicts(self, sittings: Iterable[Sitting]) -> Iterator[Verdict]:
        """Verdicts in the order asked for, as real judgings give them."""
        return self._threads.map(self._verdict, sittings)

    def trusted(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """`function(...)` in a fresh process with torch warm, for programs of ours only."""
        if self._processes is None:
            self._processes = ProcessPoolExecutor(
                WORKERS, mp_context=_warm_context(), max_tasks_per_child=1, initializer=_end_with_parent
            )
        try:
            return self._processes.submit(function, *args, **kwargs)
        except BrokenProcessPool:  # one died of its program; those after it get new ones
            self._processes = None
            return self.trusted(function, *args, **kwargs)

    def _start_judge(self) -> None:
        try:
            judge = Judge()
        except NoWall as reason:
            self.without_wall = str(reason)
            judge = Judge(walled=False)
        self._judges.append(judge)
        self._own.judge = judge

    def _verdict(self, sitting: Sitting) -> Verdict:
        judge: Judge = self._own.judge
        checks = []
        for event in judge.grade(sitting.exercise, sitting.source, seed=sitting.seed, sample=sitting.sample):
            if isinstance(event, Finished):
                return event.verdict
            if isinstance(event, CheckEnded):
                checks.append(event.check)
                if sitting.until_failed and event.check.status != Status.PASSED:
                    break
        return Verdict(
            exercise=sitting.exercise.id,
            exercise_hash=sitting.exercise.hash,
            status=checks[-1].status,
            checks=checks,
            seed=sitting.seed,
            sample=sitting.sample,
            duration_ms=sum(check.duration_ms for check in checks),
        )


def _warm_context() -> BaseContext:
    """Processes are forked from one that has torch warm, with one thread and our modules before those of any folder."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["judge.author.warm"])
    environment = ONE_THREAD | {"PYTHONPATH": str(JUDGE.parent), "PYTHONSAFEPATH": "1"}
    with _environment(environment):
        forkserver.ensure_running()
    return context


def _end_with_parent() -> None:
    """Let no process outlive the one that asked for it, however that one ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextlib.contextmanager
def _environment(added: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(added)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
