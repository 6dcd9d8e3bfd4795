"""A good exercise to spoil, and the warm judges that say what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.author.judging import Judging
from judge.author.new import new


@pytest.fixture(scope="session")
def judging() -> Iterator[Judging]:
    with Judging() as judging:
        yield judging


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A folder that nothing is wrong with: what `new` makes, every file touched."""
    folder = new("standard-columns", tmp_path, number=1)
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_text(path.read_text() + "\n")
    return folder
