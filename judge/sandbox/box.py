"""What runs inside a box: it locks itself in, then loads one solution and answers calls until the wire closes.

Everything here after `load` shares a process with learner code, which may change or forge any of it. So nothing
that a box says is more than an answer: it is data, checked and compared outside.
"""

from __future__ import annotations

import errno
import linecache
import os
import random
import socket
import sys
import traceback
from dataclasses import dataclass
from types import ModuleType

import numpy
import torch

from judge import wire
from judge.sandbox import lock

SOLUTION_FILE = "solution.py"
_MAX_TRACEBACK_LINES = 12


@dataclass(frozen=True)
class Walls:
    """What a warm parent prepares for its boxes where there is a wall."""

    filter: lock.Filter
    filter_with_processes: lock.Filter
    tasks_beside: int  # processes that count as the box's own, since they have its user id


def run(handoff: socket.socket, walls: Walls | None, uid: int | None, folder: str | None, base_bytes: int) -> None:
    """Be a box: lock in, receive the wire and the output, serve until the wire closes. Never returns."""
    status = 1
    try:
        os.setsid()  # `kill(0, ...)` reaches a whole process group, whatever pid namespaces its members are in
        if walls is not None:
            lock.unshare(lock.NEWNS | lock.NEWNET | lock.NEWIPC)
            lock.own_view(folder)
            lock.drop_privileges(uid)
        wire_socket, output = _receive_ends(handoff)
        handoff.close()
        _redirect(output)
        _reseed()
        _serve(wire_socket, walls, base_bytes)
        status = 0
    except BaseException:
        traceback.print_exc()  # the warm parent's stderr until `_redirect`: a wall that could not be built is our fault
    finally:  # also when the learner's code has left no stderr to print to
        os._exit(status)


def _receive_ends(handoff: socket.socket) -> tuple[socket.socket, int]:
    _, fds, _, _ = socket.recv_fds(handoff, 1, 2)
    if len(fds) != 2:  # the warm parent is gone
        os._exit(0)
    return socket.socket(fileno=fds[0]), fds[1]


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


def _serve(wire_socket: socket.socket, walls: Walls | None, base_bytes: int) -> None:
    # The examiner is trusted; frames from it need no deadline.
    reader = wire.FrameReader()
    session = Session(walls, base_bytes)
    while data := wire_socket.recv(1 << 20):
        for request in reader.feed(data):
            assert isinstance(request, dict)
            answer = session.answer(request)
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except (OSError, ValueError, AttributeError):  # the learner closed or replaced it
                    continue
            wire_socket.sendall(answer)


class Session:
    """One solution and its probe, loaded; answers `load`, then `call`s."""

    def __init__(self, walls: Walls | None, base_bytes: int) -> None:
        self._walls = walls
        self._base_bytes = base_bytes
        self._solution: ModuleType | None = None
        self._probe: ModuleType | None = None

    def answer(self, request: dict[str, object]) -> bytes:
        """The frame that answers `request`: {"value": ...} or {"error": ...}."""
        try:
            if "source" in request:
                self._load(**request)  # type: ignore[arg-type]  # the examiner's frames are ours
                return wire.encode({"value": None})
            value = self._call(**request)  # type: ignore[arg-type]
            try:
                return wire.encode({"value": value})
            except wire.WireError:  # too large to be an answer to anything that is asked
                return wire.encode({"value": wire.Opaque(type(value).__name__)})
        except BaseException as error:
            return wire.encode({"error": _described_whatever_it_does(error)})

    def _load(self, source: str, probe: str, limits: dict[str, float]) -> None:
        processes = int(limits["processes"])
        lock.set_limits(
            cpu_s=limits["cpu_s"],
            address_space_bytes=self._base_bytes + int(limits["memory_mib"]) * 2**20 if self._base_bytes else None,
            file_bytes=int(limits["file_kib"]) * 1024,
            processes=processes + self._walls.tasks_beside if self._walls else None,
        )
        if self._walls is not None:
            (self._walls.filter_with_processes if processes else self._walls.filter).take()
        # The probe first: it may prepare the ground (wrap torch functions) before the solution imports them.
        self._probe = execute("probe", "probe.py", probe)
        self._solution = execute("solution", SOLUTION_FILE, source)

    def _call(self, name: str, arguments: dict[str, object]) -> object:
        return getattr(self._probe, name)(self._solution, **arguments)


def execute(name: str, filename: str, source: str) -> ModuleType:
    """A new module `name` that `source` has been run in; its tracebacks show the lines of `source`."""
    module = ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), module.__dict__)  # noqa: S102 - this is what a box is for
    return module


def _described_whatever_it_does(error: BaseException) -> dict[str, object]:
    """A learner's exception may lie or raise in every attribute, and there may be no memory left."""
    try:
        return described(error)
    except BaseException:
        kind = "memory" if issubclass(type(error), MemoryError) else "error"
        return {"kind": kind, "types": [type.__dict__["__name__"].__get__(type(error))], "text": "", "traceback": ""}


def described(error: BaseException) -> dict[str, object]:
    """An error as plain data: its class names, its text, and the lines of the learner's file it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        f"{SOLUTION_FILE}, line {frame.lineno}, in {frame.name}\n    {frame.line}"
        for frame in frames
        if frame.filename == SOLUTION_FILE
    ]
    if isinstance(error, SyntaxError) and error.filename == SOLUTION_FILE:
        lines.append(f"{SOLUTION_FILE}, line {error.lineno}")
    if len(lines) > _MAX_TRACEBACK_LINES:
        half = _MAX_TRACEBACK_LINES // 2
        lines = [*lines[:half], "...", *lines[-half:]]
    try:
        text = str(error)
    except BaseException:  # a learner's __str__ may raise
        text = ""
    return {
        "kind": _kind(error, text),
        "types": [kind.__name__ for kind in type(error).__mro__ if kind is not object],
        "text": text[:2000],
        "traceback": "\n".join(lines),
    }


def _kind(error: BaseException, text: str) -> str:
    """`memory` and `forbidden` are the errors with which a limit shows inside Python."""
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "allocate memory" in text):
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
