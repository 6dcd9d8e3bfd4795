"""Who answers a suite's calls: a solution in a box, or a program of ours in this process."""

from __future__ import annotations

import random
import signal
import socket
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import numpy
import torch

from judge import wire
from judge.limits import Limits
from judge.sandbox.box import SOLUTION_FILE, described, execute
from judge.sandbox.client import Box, Raised, WallTimeout


class Subject(Protocol):
    """Answers calls of the probe; raises `judge.sandbox.client.BoxError` when there is no answer."""

    def call(self, name: str, arguments: dict[str, object]) -> object: ...

    def restart(self) -> None:
        """The next call goes to a new process with the solution loaded afresh."""

    def close(self) -> None: ...


class Boxed:
    """A learner's solution. Its box is made at the first call."""

    def __init__(self, control: socket.socket, limits: Limits, source: str, probe: str) -> None:
        self._control = control
        self._limits = limits
        self._source = source
        self._probe = probe
        self._box: Box | None = None
        self._printed: list[str] = []

    def call(self, name: str, arguments: dict[str, object]) -> object:
        if self._box is None:
            self._box = Box(self._control, self._limits)
            self._box.load(self._source, self._probe)
        return self._box.call(name, arguments)

    def restart(self) -> None:
        if self._box is not None:
            self._box.close()
            self._printed.append(self._box.output.text())
            self._box = None

    close = restart

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

    def call(self, name: str, arguments: dict[str, object]) -> object:
        with _random_state_kept(), _interrupted_after(self._limits.wall_s):
            try:
                solution, probe = self._modules()
                answer = getattr(probe, name)(solution, **arguments)
            except WallTimeout:
                raise
            except Exception as error:
                raise Raised(**described(error)) from error  # type: ignore[arg-type]
        return wire.decode(wire.encode(answer))

    def restart(self) -> None:
        self._loaded = None

    close = restart

    def _modules(self) -> tuple[types.ModuleType, types.ModuleType]:
        if self._loaded is None:
            # The same order and names as in a box.
            probe = execute("probe", "probe.py", self._probe_source)
            solution = execute("solution", SOLUTION_FILE, self._program.read_text(encoding="utf-8"))
            self._loaded = solution, probe
        return self._loaded


class Remembered:
    """A subject that answers a call it has heard before without asking again. Made for the reference."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._answers: dict[tuple[str, bytes], bytes] = {}

    def call(self, name: str, arguments: dict[str, object]) -> object:
        key = name, wire.encode(arguments)
        if key not in self._answers:
            self._answers[key] = wire.encode(self._subject.call(name, arguments))
        return wire.decode(self._answers[key])

    def restart(self) -> None:
        self._subject.restart()

    def close(self) -> None:
        self._subject.close()


@contextmanager
def _random_state_kept() -> Iterator[None]:
    states = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.set_rng_state(states[2])


@contextmanager
def _interrupted_after(seconds: float) -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise WallTimeout

    previous: Callable[..., object] | int | None = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
