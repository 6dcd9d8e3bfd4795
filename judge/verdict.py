"""What judging one submission says, as data.

One schema serves the command line (`--json`), the site and the store. A verdict is neutral about language: a title or
sentence is the English text that is also its gettext key, a message is a template and its values. `judge.language`
turns both into sentences when they are shown.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from judge.text import filled


class Status(StrEnum):
    """How a check, or a whole verdict, ended. `fault` is ours, never the learner's."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    REJECTED = "rejected"
    FAULT = "fault"


# A verdict's status is the gravest of its checks', in this order.
GRAVITY = [
    Status.FAULT,
    Status.REJECTED,
    Status.MEMORY,
    Status.TIMEOUT,
    Status.ERROR,
    Status.FAILED,
    Status.PASSED,
]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(_Data):
    """An authored sentence: the template filled with the values, translated by its template."""

    template: str
    values: dict[str, str | int | float | bool | None] = {}

    def __str__(self) -> str:
        return filled(self.template, self.values)


class CheckTitle(_Data):
    id: str
    title: str


class CheckResult(_Data):
    """One check's end. `traceback` holds only lines of the learner's own file."""

    id: str
    title: str
    status: Status
    message: Message | None = None
    traceback: str = ""
    duration_ms: float


class Diagnosis(_Data):
    """A known mistake that explains the failing `checks` completely."""

    mistake: str
    sentence: str
    checks: list[str]


class Figure(_Data):
    check: str
    kind: str
    data: JsonValue


class Verdict(_Data):
    """All that judging one submission says. `seed` replays it: every draw of the checks comes from it."""

    version: Literal[1] = 1
    exercise: str
    exercise_hash: str
    status: Status
    message: Message | None = None
    line: int | None = None
    checks: list[CheckResult] = []
    diagnoses: list[Diagnosis] = []
    figures: list[Figure] = []
    prints: str = ""
    seed: int
    device: str = "cpu"
    sample: bool = False
    duration_ms: float


class Started(_Data):
    event: Literal["started"] = "started"
    checks: list[CheckTitle]


class CheckEnded(_Data):
    event: Literal["check"] = "check"
    check: CheckResult


class FigureDrawn(_Data):
    event: Literal["figure"] = "figure"
    figure: Figure


class Finished(_Data):
    """The last event. Without it nothing has passed."""

    event: Literal["finished"] = "finished"
    verdict: Verdict


Event = Annotated[Started | CheckEnded | FigureDrawn | Finished, Field(discriminator="event")]


def overall(checks: list[CheckResult]) -> Status:
    """The status of a verdict with these checks: the gravest of theirs; no check at all is a fault."""
    if not checks:
        return Status.FAULT
    return min((check.status for check in checks), key=GRAVITY.index)
