"""Runs one check with one subject and keeps what happened: for the learner once, for known mistakes again."""

from __future__ import annotations

import hashlib
import json
import math
import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from judge.examiner.clock import time_limit
from judge.examiner.subject import Subject
from judge.kit import Unmet, close
from judge.limits import Limits
from judge.sandbox import client
from judge.text import excerpt, shortened, visible
from judge.verdict import Message, Status
from judge.wire import Opaque

CheckFunction = Callable[..., object]
# When the suite stumbles over an answer. A suite that knows its mistakes says something better about them.
MALFORMED = Message(template="The answer does not have the form that was asked for.")
MAX_TRACEBACK = 8_000
_MAX_VALUE_CHARACTERS = 400
_MAX_FIGURE_BYTES = 64 * 1024
_EXAMINER = Path(__file__).parent
_SANDBOX = _EXAMINER.parent / "sandbox"


class Differs(BaseException):
    """Raised out of a replayed check as soon as its calls go another way than the learner's."""


class _Overrun(BaseException):
    """The suite's own code takes too long: an answer has led it astray."""


@dataclass
class Outcome:
    """How a check ended with some subject, and the evidence of what the subject does."""

    status: Status = Status.PASSED
    message: Message | None = None
    traceback: str = ""
    calls: list[object] = field(default_factory=list)  # each call's answer, without its events
    events: list[object] = field(default_factory=list)  # the events of all answers, in order
    facts: list[object] = field(default_factory=list)  # what the suite named as evidence instead
    figures: list[tuple[str, JsonValue]] = field(default_factory=list)
    crash: BaseException | None = None  # neither an unmet expectation nor the subject's doing

    def same_evidence(self, other: Outcome) -> bool:
        if self.facts or other.facts:
            return _same(self.facts, other.facts)
        return _same(self.calls, other.calls)


Ask = Callable[[str, dict[str, object]], object]


class Calls:
    """The `learner` and `reference` of a suite: `learner.collate(batch=...)` calls the probe's `collate`."""

    def __init__(
        self, subject: Subject, outcome: Outcome, expected: list[object] | None, ask: Ask | None = None
    ) -> None:
        self._subject = subject
        self._outcome = outcome
        self._expected = expected
        self._ask = ask or subject.call

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(**arguments: object) -> object:
            try:
                answer = self._ask(name, arguments)
            except client.Raised as error:
                self._keep(["raised", error.kind, error.types[0], error.text])
                raise
            except client.BoxError as error:
                self._keep([type(error).__name__])
                raise
            self._keep(_without_events(answer, self._outcome.events))
            return answer

        return call

    @property
    def to_the_end(self) -> Calls:
        """`learner.to_the_end.fit(...)`: a call in a new process that ends with it; None if the process died of it."""
        return Calls(self._subject, self._outcome, self._expected, self._subject.call_to_the_end)

    def restart(self) -> None:
        """The next call goes to a new process."""
        self._subject.restart()

    def keep_files(self) -> None:
        """All processes of this check share one work folder, empty now, which is also where they run."""
        self._subject.keep_files()

    def _keep(self, observation: object) -> None:
        calls = self._outcome.calls
        calls.append(observation)
        if self._expected is not None:
            position = len(calls) - 1
            if position >= len(self._expected) or not _same(observation, self._expected[position]):
                raise Differs


def run_check(
    function: CheckFunction,
    subject: Subject,
    reference: Subject,
    *,
    seed: int,
    device: str,
    limits: Limits,
    expected: list[object] | None = None,
) -> Outcome:
    """Run `function` with `subject` as its learner. With `expected` calls, raises Differs at the first other one."""
    outcome = Outcome()
    given: dict[str, object] = {
        "learner": Calls(subject, outcome, expected),
        "reference": Calls(reference, Outcome(), None),
        "rng": random.Random(seed),
        "seed": seed,
        "device": device,
        "figure": lambda kind, **data: _draw(outcome, kind, data),
        "evidence": lambda **facts: outcome.facts.append(facts),
    }
    try:
        with time_limit(2 * limits.wall_s, _Overrun):
            function(**{name: given[name] for name in asked_for(function)})
    except Unmet as unmet:
        outcome.status = Status.FAILED
        values = {key: _value(value) for key, value in unmet.values.items()}
        outcome.message = Message(template=unmet.template, values=values)
    except client.BoxError as error:
        outcome.status, outcome.message = explained(error, limits)
        if isinstance(error, client.Raised):
            outcome.traceback = excerpt(error.traceback, MAX_TRACEBACK)
    except client.NoBox:
        raise
    except Exception as error:
        if _is_ours(error):
            raise
        outcome.status = Status.FAILED
        outcome.message = MALFORMED
        outcome.crash = error
    except _Overrun as error:
        outcome.status = Status.FAILED
        outcome.message = MALFORMED
        outcome.crash = error
    return outcome


def asked_for(function: CheckFunction) -> tuple[str, ...]:
    """The names of a check's parameters."""
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def _is_ours(error: Exception) -> bool:
    """Whether an error came out of the examiner itself, and not out of the suite's handling of an answer."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is `run_check`
    return any(Path(frame.filename).parent in (_EXAMINER, _SANDBOX) for frame in frames)


def check_seed(verdict_seed: int, check_id: str) -> int:
    """The seed of one check, below 2**31: every check draws for itself, in whatever order they run."""
    digest = hashlib.sha256(f"{verdict_seed}/{check_id}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def _same(got: object, expected: object) -> bool:
    return close(got, expected, equal_nan=True)


def _without_events(answer: object, events: list[object]) -> object:
    """The answer without its "events", which go to `events`: they explain, they do not decide."""
    if isinstance(answer, dict) and "events" in answer:
        events.append(answer["events"])
        return {key: value for key, value in answer.items() if key != "events"}
    return answer


def _value(value: object) -> str | int | float | bool | None:
    """What may stand in a message: whatever a suite names there, it may have come from the learner."""
    if isinstance(value, str):
        return shortened(visible(value[: 2 * _MAX_VALUE_CHARACTERS]), _MAX_VALUE_CHARACTERS)
    if isinstance(value, float) and not math.isfinite(value):  # JSON has no such numbers
        return str(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _type_name(value)


def _type_name(value: object) -> str:
    return visible(value.type_name) if isinstance(value, Opaque) else type(value).__name__


def _draw(outcome: Outcome, kind: str, data: dict[str, object]) -> None:
    """Keep a figure, unless a learner's answer has made it too large for any page."""
    figure = _json(data)
    if len(json.dumps(figure)) <= _MAX_FIGURE_BYTES:
        outcome.figures.append((kind, figure))


def _json(value: object) -> JsonValue:
    """Figures are JSON: learner's strings in them are made visible, what is not JSON is shown as its type."""
    if value is None or isinstance(value, (bool, int, float)):
        return value if not isinstance(value, float) or math.isfinite(value) else None
    if isinstance(value, str):
        return visible(value[:200])
    if isinstance(value, (list, tuple)):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {visible(str(key)[:200]): _json(item) for key, item in value.items()}
    return _type_name(value)


def explained(error: client.BoxError, limits: Limits) -> tuple[Status, Message]:
    """The status and the sentence for whatever kept the learner's code from answering."""
    match error:
        case client.WallTimeout():
            template, value = "Stopped after {seconds:g} s without an answer.", {"seconds": limits.wall_s}
            return Status.TIMEOUT, Message(template=template, values=value)
        case client.CpuTimeout():
            template, value = "Stopped after {seconds:g} s of processor time.", {"seconds": limits.cpu_s}
            return Status.TIMEOUT, Message(template=template, values=value)
        case client.OutOfMemory() | client.Raised(kind="memory"):
            template = "Your code used more than {memory_mib} MiB of memory."
            return Status.MEMORY, Message(template=template, values={"memory_mib": limits.memory_mib})
        case client.TooMuchOutput():
            template = "Your code printed more than {output_kib} KiB and was stopped."
            return Status.ERROR, Message(template=template, values={"output_kib": limits.output_kib})
        case client.Raised(kind="file"):
            template = "Your code wrote a file of more than {file_kib} KiB."
            return Status.ERROR, Message(template=template, values={"file_kib": limits.file_kib})
        case client.Raised(kind="forbidden"):
            template = (
                "Your code asked the system for something that is not allowed here (files outside the work folder, "
                "other processes, threads or the network): {error}"
            )
            return Status.ERROR, Message(template=template, values={"error": _error_text(error)})
        case client.Raised():
            template = "Your code raised {error}"
            return Status.ERROR, Message(template=template, values={"error": _error_text(error)})
        case client.Died(status):
            template = "Your code ended the process (exit status {status}) instead of returning an answer."
            return Status.ERROR, Message(template=template, values={"status": status})
        case _:
            return Status.FAILED, MALFORMED


def _error_text(error: client.Raised) -> str:
    name, text = excerpt(error.types[0], 100), excerpt(error.text, 400)
    return f"{name}: {text}" if text else name
