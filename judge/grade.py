"""Grading: an exercise and a source in, events and a verdict out. How a judging goes is told in `judge.examiner`.

A reader's code runs here too: a program in, what it prints out.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping
from typing import IO, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from judge import source as learner_source
from judge.exercise import Exercise
from judge.job import Job
from judge.run import BROKEN, Ended, Printed, Program
from judge.sandbox import wall
from judge.verdict import Event, Finished, Message, Status, Verdict

_FAULT = Message(
    template="The judge failed. It is our fault, and nothing is wrong with your code. Please submit again."
)
_EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
_RUN_EVENTS: TypeAdapter[Printed | Ended] = TypeAdapter(Printed | Ended)
_MAX_CHECKS = 40
_E = TypeVar("_E")
_STARTS = 5  # of the warm processes, while somebody kills them
_READERS = 2  # of a file: one may have been killed by somebody else


class Judge:
    """Keeps the warm parents and grades one submission at a time. Use it as a context manager.

    With `walled` learner code runs behind the sandbox, and `judge.sandbox.wall.NoWall` is raised where none can be had.
    Without, it runs in plain child processes: for the learner's own file on the learner's own machine.
    """

    def __init__(self, *, walled: bool = True) -> None:
        self._walled = walled
        _allow_many_descriptors()
        self._sandbox, self._examiner = _start(walled)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._examiner.close()
        self._sandbox.close()

    def grade(
        self,
        exercise: Exercise,
        source: str | bytes,
        *,
        seed: int | None = None,
        sample: bool = False,
        device: str = "cpu",
    ) -> Iterator[Event]:
        """Judge `source`; the last event is Finished. Nothing that a learner sends makes this raise."""
        job = Job.of(exercise, "", seed=seed, sample=sample, device=device)
        data = source.encode("utf-8", "replace") if isinstance(source, str) else source
        try:
            job = job.model_copy(update={"source": learner_source.decoded(data)})
        except learner_source.Rejected as rejected:
            yield Finished(verdict=job.rejected(rejected))
            return
        heard: list[Event] = []
        for _ in range(_READERS):
            self._make_ready()
            for event in self._examiner.events(job, _EVENTS):
                heard.append(event)
                yield event
            if heard or not self._examiner.was_reading:
                break
        if not heard or not isinstance(heard[-1], Finished):
            yield Finished(verdict=self._unfinished(job, heard))

    def verdict(self, exercise: Exercise, source: str | bytes, *, seed: int | None = None) -> Verdict:
        """Judge `source` and return only the verdict."""
        *_, last = self.grade(exercise, source, seed=seed)
        assert isinstance(last, Finished)
        return last.verdict

    def run(self, program: Program) -> Generator[Printed | Ended, None, None]:
        """Run a reader's code; the last event is Ended. Nothing in it makes this raise; closing this stops it."""
        self._make_ready()
        with contextlib.closing(self._examiner.events(program, _RUN_EVENTS)) as events:
            for event in events:
                yield event
                if isinstance(event, Ended):
                    return
        self._restart()
        yield BROKEN

    def _make_ready(self) -> None:
        if not (self._sandbox.alive() and self._examiner.alive()):
            self._restart()

    def _unfinished(self, job: Job, heard: list[Event]) -> Verdict:
        """The examination died. If all of them died while they read the file, the file kills its readers."""
        if not heard and self._examiner.was_reading:
            return job.verdict_without_checks(Status.REJECTED, learner_source.TOO_DEEP)
        self._restart()
        return job.verdict_without_checks(Status.FAULT, _FAULT)

    def _restart(self) -> None:
        self.close()
        self._sandbox, self._examiner = _start(self._walled)


class _Examiner:
    """The warm examiner's process, from outside."""

    def __init__(self, sandbox_control: socket.socket) -> None:
        self._control, theirs = socket.socketpair()
        self.was_reading = False  # whether the last examination ended while it read the learner's file
        with theirs:
            fds = [theirs.fileno(), sandbox_control.fileno()]
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-P", "-m", "judge.examiner", *map(str, fds)],
                env=_without_secrets(os.environ) | wall.ONE_THREAD | {"PYTHONPATH": str(wall.JUDGE.parent)},
                pass_fds=fds,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C is for us: closing the control socket ends it
            )

    def wait_until_ready(self) -> None:
        if self._control.recv(5) != b"ready":
            raise wall.Killed("the examiner was killed while it started")

    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._control.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def events(self, job: Job | Program, kinds: TypeAdapter[_E]) -> Generator[_E, None, None]:
        """The events of one examination, until it ends or takes impossibly long."""
        self.was_reading = False
        events_fd = self._hand_over(job)
        deadline = time.monotonic() + _MAX_CHECKS * job.limits.wall_s
        lines = _lines(events_fd, deadline)
        pid = None
        try:
            first = next(lines, None)
            if first is None:
                return
            pid = json.loads(first)["reading"]
            self.was_reading = True
            for line in lines:
                if self.was_reading and line == b'{"reading": null}':
                    self.was_reading = False
                    continue
                event = kinds.validate_json(line)
                if isinstance(event, Finished | Ended):  # it ends by itself now
                    pid = None
                yield event
        except (TimeoutError, ValidationError):  # it hangs, or died in the middle of a line
            return
        finally:
            lines.close()
            if pid is not None:
                _kill(pid)

    def _hand_over(self, job: Job | Program) -> int:
        """Give the job to the examination that waits; returns the descriptor its events arrive at."""
        reader, writer = os.pipe()
        try:
            with _memory_file() as file:
                file.write(job.model_dump_json().encode())
                file.flush()
                socket.send_fds(self._control, [b"j"], [file.fileno(), writer])
        except OSError:
            return reader  # it is gone: no event will come
        finally:
            os.close(writer)
        return reader


def _allow_many_descriptors() -> None:
    """For us and the warm processes: the kernel sends none for who may have fewer than its user has on their way."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems give a hard limit that nobody may have
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _start(walled: bool) -> tuple[wall.Sandbox, _Examiner]:
    """Both warm parents; started again where somebody has killed one meanwhile."""
    for _ in range(_STARTS - 1):
        with contextlib.suppress(wall.Killed):
            return _start_once(walled)
    return _start_once(walled)


def _start_once(walled: bool) -> tuple[wall.Sandbox, _Examiner]:
    """Both warm parents, started side by side."""
    sandbox = wall.launch(walled=walled)
    examiner = _Examiner(sandbox.control)
    try:
        sandbox.wait_until_ready()
        examiner.wait_until_ready()
    except BaseException:
        examiner.close()
        sandbox.close()
        raise
    return sandbox, examiner


def _memory_file() -> IO[bytes]:
    """A file of no disk, which could be full, where the system has such."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("job"), "w+b")
    return tempfile.TemporaryFile()


def _without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """What a Python process needs; the database's password and the site's secret are not among it."""
    return {name: value for name, value in environment.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}


def _lines(fd: int, deadline: float) -> Generator[bytes, None, None]:
    """Whole lines as they arrive; raises TimeoutError at the deadline."""
    buffer = b""
    with open(fd, "rb", buffering=0) as pipe:
        while True:
            if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError
            data = pipe.read(1 << 16)
            if not data:
                return
            *whole, buffer = (buffer + data).split(b"\n")
            yield from whole


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
