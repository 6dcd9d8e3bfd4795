"""Who answers a suite's calls: a solution in a box, or a program of ours in this process."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import tempfile
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import numpy
import torch

from judge import wire
from judge.examiner.clock import time_limit
from judge.limits import Limits
from judge.program import PROBE_FILE, SOLUTION_FILE, compiled, execute
from judge.sandbox.box import described
from judge.sandbox.client import Box, BoxError, Died, NoBox, Raised, SharedFolder, WallTimeout

# For what keeps no time itself: asking for a box, waiting for a child.
_SLACK_S = 30.0


class Subject(Protocol):
    """Answers calls of the probe; raises `judge.sandbox.client.BoxError` when there is no answer."""

    def call(self, name: str, arguments: dict[str, object]) -> object: ...

    def call_to_the_end(self, name: str, arguments: dict[str, object]) -> object:
        """A call in a new process that ends with it. The answer is None when the process died of the call."""

    def restart(self) -> None:
        """The next call goes to a new process with the solution loaded afresh."""

    def keep_files(self) -> None:
        """From now on all processes share one empty work folder: files are all that passes from one to the next."""

    def close(self) -> None: ...


class Boxed:
    """A learner's solution. Its box is made at the first call, or ahead of it by `prepare`.

    While the box answers a call, `meanwhile` is called with it: there is a second processor.
    """

    def __init__(self, control: socket.socket, limits: Limits, source: str, probe: str) -> None:
        self._control = control
        self.limits = limits
        self._source = source
        self._probe = probe
        self._box: Box | None = None
        self._folder: SharedFolder | None = None
        self._printed: list[str] = []
        self.meanwhile: Callable[[str, dict[str, object]], None] = _nothing

    def prepare(self) -> None:
        """Have a box load the solution while we do something else."""
        if self._box is None:
            self._box = Box(self._control, self.limits, self._folder.name if self._folder else None)
            self._box.load(self._source, self._probe)

    def call(self, name: str, arguments: dict[str, object]) -> object:
        with time_limit(self.limits.wall_s + _SLACK_S, NoBox):
            self.prepare()
            assert self._box is not None
            return self._box.call(name, arguments, lambda: self.meanwhile(name, arguments))

    def call_to_the_end(self, name: str, arguments: dict[str, object]) -> object:
        self.restart()
        try:
            return self.call(name, arguments)
        except Died:
            return None
        finally:
            self.restart()

    def restart(self) -> None:
        if self._box is not None:
            self._box.close()
            self._printed.append(self._box.output.text())
            self._box = None

    def keep_files(self) -> None:
        self.close()
        self._folder = SharedFolder(self._control)
        self.meanwhile = _nothing  # what the same call finds elsewhere are other files

    def close(self) -> None:
        self.restart()
        if self._folder is not None:
            self._folder.close()
            self._folder = None

    @property
    def prints(self) -> str:
        """What all boxes so far have printed; call it after `close`."""
        return "".join(self._printed)


class Local:
    """A trusted program: the reference or a known mistake. Random state around its calls is left as it was."""

    def __init__(self, program: Path, probe: str, limits: Limits) -> None:
        self._program = program
        self._probe_source = probe
        self._limits = limits
        self._loaded: tuple[types.ModuleType, types.ModuleType] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def call(self, name: str, arguments: dict[str, object]) -> object:
        return wire.decode(self.frame(name, arguments))

    def frame(self, name: str, arguments: dict[str, object]) -> bytes:
        """The answer as it would come over the wire."""
        with self._in_folder(), _random_state_kept(), time_limit(self._limits.wall_s, WallTimeout):
            try:
                solution, probe = self._modules()
                answer = getattr(probe, name)(solution, **arguments)
            except WallTimeout:
                raise
            except Exception as error:
                raise Raised(**described(error)) from error  # type: ignore[arg-type]
        return wire.encode(answer)

    def call_to_the_end(self, name: str, arguments: dict[str, object]) -> object:
        self.restart()
        with time_limit(self._limits.wall_s + _SLACK_S, WallTimeout):
            answer = _answer_of_child(lambda: self.call(name, arguments))
        if isinstance(answer, Raised):
            raise answer
        return answer

    def restart(self) -> None:
        self._loaded = None

    def keep_files(self) -> None:
        self.close()
        self._folder = tempfile.TemporaryDirectory()

    def close(self) -> None:
        self.restart()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _modules(self) -> tuple[types.ModuleType, types.ModuleType]:
        if self._loaded is None:
            # The same order and names as in a box.
            probe = _executed("probe", self._probe_source, PROBE_FILE)
            solution = _executed("solution", self._program.read_text(encoding="utf-8"), SOLUTION_FILE)
            self._loaded = solution, probe
        return self._loaded

    def _in_folder(self) -> AbstractContextManager[None]:
        return contextlib.chdir(self._folder.name) if self._folder else contextlib.nullcontext()


class Remembered:
    """A program that answers a call it has heard before without running again. Made for the reference."""

    def __init__(self, subject: Local) -> None:
        self._subject = subject
        self._answers: dict[tuple[str, bytes], bytes] = {}
        self._remembers = True

    def call(self, name: str, arguments: dict[str, object]) -> object:
        if not self._remembers:
            return self._subject.call(name, arguments)
        key = name, wire.encode(arguments)
        if key not in self._answers:
            self._answers[key] = self._subject.frame(name, arguments)
        return wire.decode(self._answers[key])

    def foresee(self, name: str, arguments: dict[str, object]) -> None:
        """Answer a call that will probably come. What keeps it from being answered shows when it does."""
        if self._remembers:
            with contextlib.suppress(BoxError):
                self.call(name, arguments)

    def call_to_the_end(self, name: str, arguments: dict[str, object]) -> object:
        return self._subject.call_to_the_end(name, arguments)

    def restart(self) -> None:
        self._subject.restart()

    def keep_files(self) -> None:
        self._remembers = False  # the same call may find other files
        self._subject.keep_files()

    def close(self) -> None:
        self._subject.close()


def _executed(name: str, source: str, filename: str) -> types.ModuleType:
    return execute(name, compiled(source, filename), source)


def _nothing(name: str, arguments: dict[str, object]) -> None:
    pass


def _answer_of_child(call: Callable[[], object]) -> object:
    """What `call` returns in a forked child, the Raised it raises, or None if the child dies of it."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            answer = ["answer", call()]
        except Raised as error:
            answer = ["raised", error.kind, error.types, error.text, error.traceback]
        except BaseException:
            os._exit(1)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(wire.encode(answer))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        frame = pipe.read()
    os.waitpid(pid, 0)
    if not frame:
        return None
    kept = wire.decode(frame)
    assert isinstance(kept, list)
    return Raised(*kept[1:]) if kept[0] == "raised" else kept[1]


@contextmanager
def _random_state_kept() -> Iterator[None]:
    states = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.set_rng_state(states[2])
