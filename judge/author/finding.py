"""What is wrong with an exercise: in which file, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Finding:
    """`kind` names what was looked at, in one word or two; `cause` is for the person who mends it.

    `paste`, if any, is what to put into the file.
    """

    file: str
    kind: str
    cause: str
    paste: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.cause}"
