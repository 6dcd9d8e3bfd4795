"""What the examiner is asked to do: everything about one judging, as data."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict

from judge.exercise import Exercise
from judge.limits import Limits
from judge.source import Rejected
from judge.verdict import Message, Status, Verdict


class Job(BaseModel):
    """What to judge, and with what."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    exercise: str
    exercise_hash: str
    folder: Path
    functions: tuple[str, ...]
    mistakes: dict[str, tuple[str, tuple[Path, ...]]]  # name: sentence, programs
    failed: dict[str, frozenset[str]]  # by file name of a program: the checks it fails, where that is known
    limits: Limits
    source: str
    seed: int
    sample: bool
    device: str

    @classmethod
    def of(cls, exercise: Exercise, source: str, *, seed: int | None, sample: bool, device: str) -> Self:
        """A job with `seed`, or with one that nobody can foresee."""
        return cls(
            exercise=exercise.id,
            exercise_hash=exercise.hash,
            folder=exercise.root,
            functions=exercise.functions,
            mistakes={name: (mistake.sentence, mistake.files) for name, mistake in exercise.mistakes.items()},
            failed=exercise.failed,
            limits=exercise.limits,
            source=source,
            seed=secrets.randbits(48) if seed is None else seed,  # exact in every JSON reader
            sample=sample,
            device=device,
        )

    def programs(self, mistake: str, check: str) -> list[Path]:
        """The programs of a mistake that may fail `check`; all of them where none was ever seen to."""
        _, programs = self.mistakes[mistake]
        return [path for path in programs if check in self.failed.get(path.name, {check})] or list(programs)

    def verdict_without_checks(self, status: Status, message: Message, line: int | None = None) -> Verdict:
        """A verdict that came before, or instead of, any check."""
        return Verdict(
            exercise=self.exercise,
            exercise_hash=self.exercise_hash,
            status=status,
            message=message,
            line=line,
            seed=self.seed,
            device=self.device,
            sample=self.sample,
            duration_ms=0,
        )

    def rejected(self, rejection: Rejected) -> Verdict:
        return self.verdict_without_checks(Status.REJECTED, rejection.message, rejection.line)
