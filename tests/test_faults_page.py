"""Every row of `docs/faults.md` is tested by tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_row_names_tests_that_exist() -> None:
    existing = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    lines = [line for line in (ROOT / "docs" / "faults.md").read_text().splitlines() if line.startswith("| ")]
    _, *rows = lines
    assert len(rows) > 20
    for row in rows:
        what, happens, tests = (cell.strip() for cell in row.strip("|").split(" | "))
        assert what
        assert happens
        named = re.findall(r"`(\w+)`", tests)
        assert named, row
        assert not set(named) - existing, row
