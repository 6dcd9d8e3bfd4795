"""A box as its user sees it: load a solution, call its probe, and learn how it ended.

Whatever arrives from a box is bounded in size and time and read as plain data; all that can go wrong in there is one of
the `BoxError`s below.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from types import TracebackType

from judge import wire
from judge.limits import Limits
from judge.program import PROBE_FILE, SOLUTION_FILE, packed

_END_TIMEOUT_S = 2.0
_A_WHILE_S = 0.002


class BoxError(Exception):
    """The box did not answer with a value."""


@dataclass
class Raised(BoxError):
    """The learner's code raised. All of it is text from inside the box."""

    kind: str  # error, memory, file or forbidden
    types: list[str]
    text: str
    traceback: str


class WallTimeout(BoxError):
    """No answer within `wall_s`."""


class CpuTimeout(BoxError):
    """More than `cpu_s` of processor time."""


class OutOfMemory(BoxError):
    """The box died of using more memory than it may, alone or with its processes."""


class TooMuchOutput(BoxError):
    """More than `output_kib` was printed."""


class Malformed(BoxError):
    """What came over the wire was not an answer."""


@dataclass
class Died(BoxError):
    """The process ended by itself: exit status, or minus the signal."""

    status: int


class NoBox(Exception):
    """The warm parent could not provide a box: our fault, never the learner's."""


class Killed(NoBox):
    """Somebody outside has killed the box. Nobody inside can: it is the first process of its namespace."""


@dataclass
class Output:
    """What a box printed: all of it up to a limit."""

    limit_bytes: int
    data: bytearray = field(default_factory=bytearray)

    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


class Box:
    """One box, from load to end. Use it as a context manager; leaving kills the box with all in it."""

    def __init__(self, control: socket.socket, limits: Limits, folder: str | None = None) -> None:
        self._limits = limits
        self._left_s = limits.wall_s
        self._ended: BoxError | NoBox | None = None
        self._loading = False  # whether the answer to `load` is still to come
        self._reader = wire.FrameReader()
        self.output = Output(limits.output_kib * 1024)
        self._lifeline, lifeline_end = socket.socketpair()
        questions_end, questions = os.pipe()
        answers, answers_end = os.pipe()
        self._output_fd, output_end = os.pipe()
        for ours in (questions, answers, self._output_fd):
            os.set_blocking(ours, False)
        self._questions, self._answers = io.FileIO(questions, "w"), io.FileIO(answers)
        together_mib = limits.memory_mib if limits.processes else None  # alone, a process is bounded by the kernel
        try:
            socket.send_fds(
                control,
                [json.dumps({"folder": folder, "together_mib": together_mib}).encode()],
                [questions_end, answers_end, output_end, lifeline_end.fileno()],
            )
        except OSError as error:
            self.close()
            raise NoBox("the sandbox is gone") from error
        finally:
            lifeline_end.close()
            for end in (questions_end, answers_end, output_end):
                os.close(end)
        if limits.processes:  # those of the boxes before it must be gone first, which is no time of its own
            self._lifeline.recv(1)

    def __enter__(self) -> Box:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def load(self, source: str, probe: str) -> None:
        """Have the box take on the limits and run the solution's file once. How that ends shows at the first call.

        Raises SyntaxError when one of the two is not Python.
        """
        with self._time() as deadline:
            programs = {"solution": packed(source, SOLUTION_FILE), "probe": packed(probe, PROBE_FILE)}
            self._send({"source": source, **programs, "limits": asdict(self._limits)}, deadline)
        self._loading = True

    def call(self, name: str, arguments: dict[str, object], meanwhile: Callable[[], object] = lambda: None) -> object:
        """What the probe's function `name` returns; raises BoxError. If that takes a while, `meanwhile` is called."""
        with self._time() as deadline:
            if self._loading:
                self._loading = False
                self._receive(deadline)
            self._expect_silence()
            self._send({"name": name, "arguments": arguments}, deadline)
        if not select.select([self._answers], [], [], _A_WHILE_S)[0]:
            meanwhile()  # which is no time of the box's
        with self._time() as deadline:
            return self._receive(deadline)

    def run(self, files: list[str], blocks: list[str], pause_s: float) -> Iterator[None]:
        """Have the box run blocks, in tracebacks called `files`. Comes back every `pause_s`; raises BoxError."""
        with self._time() as deadline:
            self._send({"files": files, "blocks": blocks, "limits": asdict(self._limits)}, deadline)
            while not self._has_answered(min(deadline, time.monotonic() + pause_s)):
                if time.monotonic() >= deadline:
                    raise WallTimeout
                yield

    def _has_answered(self, moment: float) -> bool:
        """Whether all of the answer was there by then; raises BoxError."""
        try:
            self._receive(moment)
        except WallTimeout:
            return False
        return True

    def close(self) -> None:
        """Let go of the box; what still runs in it is killed."""
        self._questions.close()
        self._answers.close()
        self._lifeline.close()
        if self._output_fd >= 0:
            with contextlib.suppress(BoxError):
                self._drain_output()
        if self._output_fd >= 0:
            os.close(self._output_fd)
            self._output_fd = -1

    @contextlib.contextmanager
    def _time(self) -> Iterator[float]:
        """The deadline for what is done in here: all of it together may take `wall_s`."""
        deadline = time.monotonic() + self._left_s
        try:
            yield deadline
        finally:
            self._left_s = max(0.0, deadline - time.monotonic())

    def _expect_silence(self) -> None:
        """Nothing may have arrived before its question was asked."""
        if self._answers.read(1):  # that the box is gone shows when it is asked
            raise Malformed

    def _send(self, request: dict[str, object], deadline: float) -> None:
        view = memoryview(wire.encode(request))
        while view:
            self._wait(deadline, writing=True)
            try:
                view = view[self._questions.write(view) or 0 :]
            except BrokenPipeError:
                raise self._end() from None

    def _receive(self, deadline: float) -> object:
        """The value that the box answers; raises BoxError."""
        answer = self._received(deadline)
        if isinstance(answer, dict) and answer.keys() == {"value"}:
            return answer["value"]
        if isinstance(answer, dict) and answer.keys() == {"error"}:
            raise _raised(answer["error"])
        raise Malformed

    def _received(self, deadline: float) -> object:
        while True:
            self._wait(deadline, writing=False)
            data = self._answers.read(1 << 20)
            if data is None:  # there is none after all
                continue
            if not data:
                raise self._end()
            try:
                values = self._reader.feed(data)
            except wire.WireError as error:
                raise Malformed from error
            if len(values) > 1 or (values and self._reader.pending):  # an answer nobody asked for
                raise Malformed
            if values:
                self._drain_output()
                return values[0]

    def _wait(self, deadline: float, *, writing: bool) -> None:
        """Until the wire is ready, reading output meanwhile so that a box that prints never blocks."""
        while True:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise WallTimeout
            readers: list[io.FileIO | int] = [] if writing else [self._answers]
            if self._output_fd >= 0:
                readers.append(self._output_fd)
            readable, writable, _ = select.select(readers, [self._questions] if writing else [], [], left_s)
            if self._output_fd in readable:
                self._drain_output()
            if writable or self._answers in readable:
                return

    def _drain_output(self) -> None:
        if self._output_fd < 0:  # the box had closed its end already: it may die as soon as it has answered
            return
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._output_fd, 1 << 16):
                self.output.data += data
                if len(self.output.data) > self.output.limit_bytes:
                    del self.output.data[self.output.limit_bytes :]
                    raise TooMuchOutput
            os.close(self._output_fd)  # the box has closed its end
            self._output_fd = -1

    def _end(self) -> BoxError:
        """Why the box is gone, however often one asks; raises NoBox when it is not the learner's doing."""
        if self._ended is None:
            try:
                self._ended = self._how_it_ended()
            except NoBox as reason:
                self._ended = reason
        if isinstance(self._ended, NoBox):
            raise self._ended
        return self._ended

    def _how_it_ended(self) -> BoxError:
        """From its exit status and usage."""
        if self._output_fd >= 0:
            self._drain_output()
        self._lifeline.settimeout(_END_TIMEOUT_S)
        try:
            data = self._lifeline.recv(4096)
        except TimeoutError:
            # It closed its wire and lives on: not an answer, and leaving will kill it.
            return Malformed()
        if not data:
            raise NoBox("the sandbox is gone")
        end = json.loads(data)
        if end["too_large_together"]:
            return OutOfMemory()
        if end["cpu_s"] >= self._limits.cpu_s or end["status"] == signal.SIGXCPU:  # it ends so at the limit
            return CpuTimeout()
        if end["status"] < 0 and end["peak_memory_kib"] >= self._limits.memory_mib * 1024 * 0.8:
            return OutOfMemory()
        if end["status"] == -signal.SIGKILL and end["walled"]:
            raise Killed("the box was killed from outside")
        return Died(end["status"])


class SharedFolder:
    """A folder that several boxes of one submission see as their work folder, one after the other."""

    _made = itertools.count()

    def __init__(self, control: socket.socket) -> None:
        self.name = f"{os.getpid()}-{next(self._made)}"
        self._lifeline, end = socket.socketpair()
        with end:
            socket.send_fds(control, [json.dumps({"keep": self.name}).encode()], [end.fileno()])

    def close(self) -> None:
        self._lifeline.close()


def _raised(error: object) -> BoxError:
    """The error that a box described, unless it lies about its form."""
    if not isinstance(error, dict) or error.keys() != {"kind", "types", "text", "traceback"}:
        return Malformed()
    kind, types, text, traceback = (error[key] for key in ("kind", "types", "text", "traceback"))
    if not all(isinstance(value, str) for value in (kind, text, traceback)):
        return Malformed()
    if not isinstance(types, list) or not types or not all(isinstance(name, str) for name in types):
        return Malformed()
    return Raised(kind, types[:20], text[:2000], traceback[:8000])
