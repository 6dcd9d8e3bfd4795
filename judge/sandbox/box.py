"""What runs inside a box: it locks itself in, then loads one solution and answers calls until the wire closes.

Everything here after `load` shares a process with learner code, which may change or forge any of it. So nothing
that a box says is more than an answer: it is data, checked and compared outside.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import random
import socket
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType, ModuleType

import numpy
import torch

from judge import wire
from judge.program import SOLUTION_FILE, compiled, execute, new_module, run_in, unpacked
from judge.sandbox import lock
from judge.sandbox.warm import touch

_MAX_TRACEBACK_LINES = 12
_MAX_LINE = 200
_NO_MEMORY = wire.encode({"error": {"kind": "memory", "types": ["MemoryError"], "text": "", "traceback": ""}})


@dataclass(frozen=True)
class Walls:
    """What a warm parent prepares for its boxes where there is a wall."""

    filter: lock.Filter
    filter_with_processes: lock.Filter
    tasks_beside: int  # processes that count as the box's own, since they have its user id


def run(
    handoff: socket.socket,
    walls: Walls | None,
    uid: int | None,
    folder: str | None,
    before: lock.Mapped | None,
    *,
    ahead: bool,
) -> None:
    """Be a box: lock in, receive the wire and the output, serve until the wire closes. Never returns.

    Made `ahead` of any request, it uses the time to touch the memory that solutions will. What was mapped `before` is
    not counted among what the solution uses; None where memory is not bounded.
    """
    status = 1
    try:
        os.setsid()  # `kill(0, ...)` reaches a whole process group, whatever pid namespaces its members are in
        if walls is not None:
            lock.die_first()
            lock.unshare(lock.NEWNS | lock.NEWNET | lock.NEWIPC)
            lock.own_view(folder)
            lock.drop_privileges(uid)
        else:
            os.chdir(folder or tempfile.mkdtemp(dir=os.getcwd()))
        if ahead:
            touch()
        questions, answers, output = _receive_ends(handoff)
        handoff.close()
        _redirect(output)
        _reseed()
        _serve(questions, answers, walls, before)
        status = 0
    except BaseException:
        traceback.print_exc()  # the warm parent's stderr until `_redirect`: a wall that could not be built is our fault
    finally:  # also when the learner's code has left no stderr to print to
        os._exit(status)


def _receive_ends(handoff: socket.socket) -> tuple[io.FileIO, io.BufferedWriter, int]:
    _, fds, _, _ = socket.recv_fds(handoff, 1, 3)
    if len(fds) != 3:  # the warm parent is gone
        os._exit(0)
    handoff.sendall(b"x")  # taken
    questions, answers, output = fds
    return io.FileIO(questions), open(answers, "wb"), output


def _redirect(output: int) -> None:
    """Standard input is empty, standard output and error are the output channel."""
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(null)
    os.close(output)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - lives as long as the box
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115


def _reseed() -> None:
    """All boxes are forked from one process: without this, whoever forgets to seed would draw the same in each."""
    random.seed()
    numpy.random.seed(list(os.urandom(16)))
    torch.default_generator.manual_seed(int.from_bytes(os.urandom(7)))


def _serve(questions: io.FileIO, answers: io.BufferedWriter, walls: Walls | None, before: lock.Mapped | None) -> None:
    # The examiner is trusted; frames from it need no deadline.
    reader = wire.FrameReader()
    session = Session(walls, before)
    while data := questions.read(1 << 20):
        for request in reader.feed(data):
            assert isinstance(request, dict)
            try:
                answer = session.answer(request)
            except MemoryError:  # there is not even enough to describe an error
                answer = _NO_MEMORY
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except (OSError, ValueError, AttributeError, MemoryError):  # the learner closed or replaced it
                    continue
            try:
                answers.write(answer)
                answers.flush()
            except BrokenPipeError:  # nobody waits for it any more
                return


class Session:
    """One solution and its probe, loaded; answers `load`, then `call`s. Or the blocks of a page: answers `run`."""

    def __init__(self, walls: Walls | None, before: lock.Mapped | None) -> None:
        self._walls = walls
        self._before = before
        self._solution: ModuleType | None = None
        self._probe: ModuleType | None = None
        self._files = [SOLUTION_FILE]  # the learner's own, whose lines an error shows

    def answer(self, request: dict[str, object]) -> bytes:
        """The frame that answers `request`: {"value": ...} or {"error": ...}."""
        try:
            if "source" in request:
                self._load(**request)  # type: ignore[arg-type]  # the examiner's frames are ours
                return wire.encode({"value": None})
            if "blocks" in request:
                self._run(**request)  # type: ignore[arg-type]  # as above
                return wire.encode({"value": None})
            value = self._call(**request)  # type: ignore[arg-type]
            try:
                return wire.encode({"value": value})
            except wire.WireError:  # too large to be an answer to anything that is asked
                return wire.encode({"value": wire.Opaque(type(value).__name__)})
        except BaseException as error:
            return wire.encode({"error": _described_whatever_it_does(error, self._files)})

    def _load(self, source: str, solution: bytes, probe: bytes, limits: dict[str, float]) -> None:
        self._lock_in(limits)
        # The probe first: it may prepare the ground (wrap torch functions) before the solution imports them.
        self._probe = execute("probe", unpacked(probe), "")
        self._solution = execute("solution", unpacked(solution), source)

    def _run(self, files: list[str], blocks: list[str], limits: dict[str, float]) -> None:
        """Run the blocks in one module. Nobody hears what those before the last one print."""
        self._lock_in(limits)
        module = new_module("__main__", "")
        self._files = files
        assert isinstance(sys.stdout, io.TextIOWrapper)
        sys.stdout.reconfigure(line_buffering=True)
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            for filename, block in zip(files[:-1], blocks[:-1], strict=True):
                run_in(module, _read(block, filename), block)
        run_in(module, _read(blocks[-1], files[-1]), blocks[-1])

    def _lock_in(self, limits: dict[str, float]) -> None:
        processes = int(limits["processes"])
        lock.set_limits(
            cpu_s=limits["cpu_s"],
            memory_bytes=int(limits["memory_mib"]) * 2**20,
            before=self._before,
            file_bytes=int(limits["file_kib"]) * 1024,
            processes=processes + self._walls.tasks_beside if self._walls else None,
        )
        if self._walls is not None:
            (self._walls.filter_with_processes if processes else self._walls.filter).take()

    def _call(self, name: str, arguments: dict[str, object]) -> object:
        return getattr(self._probe, name)(self._solution, **arguments)


def _read(block: str, filename: str) -> CodeType:
    try:
        return compiled(block, filename)
    except (MemoryError, RecursionError):  # the parser's, at its own bounds and long before the box's
        raise SyntaxError("it is nested too deeply to be read") from None


def _described_whatever_it_does(error: BaseException, files: Sequence[str]) -> dict[str, object]:
    """A learner's exception may lie or raise in every attribute, and there may be no memory left."""
    try:
        return described(error, files)
    except BaseException:
        kind = "memory" if issubclass(type(error), MemoryError) else "error"
        return {"kind": kind, "types": [type.__dict__["__name__"].__get__(type(error))], "text": "", "traceback": ""}


def described(error: BaseException, files: Sequence[str] = (SOLUTION_FILE,)) -> dict[str, object]:
    """An error as plain data: its class names, its text, and the lines of the learner's `files` it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        f"{frame.filename}, line {frame.lineno}, in {frame.name}\n    {(frame.line or '')[:_MAX_LINE]}"
        for frame in frames
        if frame.filename in files
    ]
    if isinstance(error, SyntaxError) and error.filename in files:
        lines.append(f"{error.filename}, line {error.lineno}")
    if len(lines) > _MAX_TRACEBACK_LINES:
        half = _MAX_TRACEBACK_LINES // 2
        lines = [*lines[:half], "...", *lines[-half:]]
    try:
        text = str(error)
    except BaseException:  # a learner's __str__ may raise
        text = ""
    return {
        "kind": _kind(error, text),
        "types": [kind.__name__[:_MAX_LINE] for kind in type(error).__mro__ if kind is not object],
        "text": text[:2000],
        "traceback": "\n".join(lines),
    }


def _kind(error: BaseException, text: str) -> str:
    """`memory` and `forbidden` are the errors with which a limit shows inside Python."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "memory"
    if isinstance(error, RuntimeError) and ("allocate memory" in text or "bad_alloc" in text):
        return "memory"
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return "file"
    if isinstance(error, OSError) and error.errno in (errno.EPERM, errno.EACCES, errno.EROFS):
        return "forbidden"
    if isinstance(error, RuntimeError) and "start new thread" in text:
        return "forbidden"
    return "error"


def close_all_but(kept: int) -> None:
    """Close every inherited file descriptor above 2 except `kept`."""
    os.closerange(3, kept)
    os.closerange(kept + 1, 1 << 16)
