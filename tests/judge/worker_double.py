"""A worker whose judge only does what the source says, for tests of the queue, in a process of its own.

The source is words: `hang-once`, `sleep SECONDS`, `fault` (always), `fault-once`, `break` (raises), `nothing` (no
verdict), else it passes. Each grading writes a line to the file named by GRADINGS, so that a test can count them.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Generator, Iterator
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Self

from judge import worker
from judge.exercise import Exercise
from judge.run import Ended, Printed, Program
from judge.verdict import CheckEnded, CheckResult, CheckTitle, Event, Finished, Started, Status, Verdict
from judge.worker import MakeGrader


class Double:
    """Stands in for judge.grade.Judge."""

    made = 0

    def __enter__(self) -> Self:
        Double.made += 1
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def grade(self, exercise: Exercise, source: bytes) -> Iterator[Event]:
        text = source.decode()
        log = Path(os.environ["GRADINGS"])
        with log.open("a") as file:
            file.write(text + "\n")
        yield Started(checks=[CheckTitle(id="one", title="One")])
        words = text.split()
        again = log.read_text().splitlines().count(text) > 1
        if "hang-once" in words and not again:
            time.sleep(600)
        if "sleep" in words:
            time.sleep(float(words[words.index("sleep") + 1]))
        if "break" in words:
            raise RuntimeError("a broken judge")
        if "nothing" in words:
            return
        failing = "fault" in words or ("fault-once" in words and not again)
        status = Status.FAULT if failing else Status.PASSED
        check = CheckResult(id="one", title="One", status=status, duration_ms=1.0)
        yield CheckEnded(check=check)
        verdict = Verdict(
            exercise=exercise.id,
            exercise_hash=exercise.hash,
            status=status,
            checks=[check],
            seed=1,
            duration_ms=1.0,
        )
        yield Finished(verdict=verdict)

    def run(self, program: Program) -> Generator[Printed | Ended, None, None]:
        """The last block is words, as above; `sleep` is silent, and goes on only as long as it is heard."""
        words = program.blocks[-1].split()
        yield Printed(text=f"{program.blocks[-1]}\n")
        until = time.monotonic() + (float(words[1]) if words[0] == "sleep" else 0.0)
        while time.monotonic() < until:
            time.sleep(0.02)
            yield Printed(text="")
        if "break" in words:
            raise RuntimeError("a broken judge")
        if "nothing" not in words:
            yield Ended(duration_ms=1.0)


# Processes that have imported what a worker imports: one starts in milliseconds.
processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["judge.worker"])


def start(environment: dict[str, str], log: Path, slots: int, make_grader: MakeGrader) -> ForkServerProcess:
    """Start a worker, its standard error appended to `log`. Its patience is shorter than a real one's."""
    process = processes.Process(target=_work, args=(environment, log, slots, make_grader))
    process.start()
    return process


def _work(environment: dict[str, str], log: Path, slots: int, make_grader: MakeGrader) -> None:
    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), sys.stderr.fileno())
    os.environ |= environment
    sys.argv = ["worker", "--slots", str(slots)]
    worker.SWEEP_S = 0.2
    worker.PATIENCE_S = 2
    worker.LOCK_PATIENCE_S = 0.3
    worker.TRY_AGAIN_S = 0.1
    sys.exit(worker.main(make_grader))
