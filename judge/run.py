"""A run: code of a page that a reader has run, as data. Nothing is judged by it; it prints and it ends."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from judge.limits import Limits
from judge.verdict import Message

LIMITS = Limits(wall_s=10.0, cpu_s=10.0)
# For blocks that start processes, as DataLoader workers are.
LIMITS_WITH_PROCESSES = dataclasses.replace(LIMITS, processes=4)


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Program(_Data):
    """Blocks that run one after the other in one module. Only the last is heard; those before it are what it needs."""

    blocks: tuple[str, ...]
    names: tuple[str, ...] = ()  # what they are called where one of them raises; not given, they are numbered
    limits: Limits = LIMITS

    @property
    def files(self) -> list[str]:
        if self.names:
            return list(self.names)
        return [f"block_{number}.py" for number in range(1, len(self.blocks) + 1)] if self.blocks[1:] else ["block.py"]


class Begun(_Data):
    """It runs. A second one says that it runs from its beginning again: whoever ran it has died."""

    event: Literal["begun"] = "begun"


class Printed(_Data):
    """What has been printed since the last of these, fit to be shown. Nothing new: it only goes on."""

    event: Literal["printed"] = "printed"
    text: str


class Ended(_Data):
    """The last event. A message says what kept the code from its end; `traceback` holds lines of the reader's own."""

    event: Literal["ended"] = "ended"
    message: Message | None = None
    traceback: str = ""
    duration_ms: float = 0.0


BROKEN = Ended(
    message=Message(template="Something went wrong on our side, and nothing with your code. Please run it again.")
)
RunEvent = Annotated[Begun | Printed | Ended, Field(discriminator="event")]
