"""Nothing is lost while processes are killed; `make soak` does it longer."""

from __future__ import annotations

import pytest

from tests.soak import soak


@pytest.mark.timeout(1200)
def test_nothing_is_lost_while_processes_are_killed() -> None:
    run = soak(200)
    assert len(run.sent) == 200
    assert sum(run.killed.values()) >= 10, run.killed
    print(run.report())
