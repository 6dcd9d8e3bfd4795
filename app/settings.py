"""Where the site finds its exercises, its database and its signing secret."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from judge.database import database_url
from judge.exercise import configured_roots

ROOT = Path(__file__).resolve().parent.parent
MIN_SECRET = 32


@dataclass(frozen=True)
class Settings:
    database: str
    exercises: tuple[Path, ...]
    secret: str


def from_environment() -> Settings:
    """Settings by FIVE_LINES_DATABASE, FIVE_LINES_EXERCISES (folders joined as in PATH) and FIVE_LINES_SECRET.

    Raises ValueError for a secret that can be guessed.
    """
    kept = ROOT / "var" / "secret"
    given = os.environ.get("FIVE_LINES_SECRET")
    secret = given or kept_secret(kept)
    if len(secret) < MIN_SECRET:
        source = "FIVE_LINES_SECRET" if given else f"the secret in {kept}, which is made anew when you delete it,"
        raise ValueError(
            f"{source} has to have {MIN_SECRET} characters and more: whoever guesses it can be an instructor"
        )
    return Settings(database_url(), tuple(configured_roots()), secret)


def kept_secret(path: Path) -> str:
    """The secret in `path`, made on first use and readable by its owner alone.

    It is written whole under another name and then linked into place, so that of two sites starting at once both
    read the same secret.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(descriptor)
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()
