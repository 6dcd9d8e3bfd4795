"""The hostile submissions, read from their files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

SUBMISSIONS = Path(__file__).parent / "submissions"


@dataclass(frozen=True)
class Attack:
    name: str  # kind/name
    source: str
    statuses: tuple[str, ...]
    says: str
    exercise: str

    @classmethod
    def read(cls, path: Path) -> Attack:
        source = path.read_text(encoding="utf-8")
        name = path.relative_to(SUBMISSIONS).with_suffix("").as_posix()
        statuses = tuple(_header(source, "verdict").split())
        return cls(name, source, statuses, _header(source, "says"), _header(source, "exercise", "target"))


def _header(source: str, key: str, otherwise: str | None = None) -> str:
    values = re.findall(rf"^# {key}:(.*)$", source, re.MULTILINE)
    if otherwise is not None and not values:
        return otherwise
    (value,) = values
    return str(value).strip()


ATTACKS = [Attack.read(path) for path in sorted(SUBMISSIONS.rglob("*.py"))]
