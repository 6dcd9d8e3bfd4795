"""The pool for our own programs: what a dying process leaves behind, on either side."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool

import pytest

from judge.author.judging import Judging

ASKING = """
import os, time
from judge.author.judging import Judging
if __name__ == "__main__":
    judging = Judging()
    print(judging.trusted(os.getpid).result(), flush=True)
    judging.trusted(time.sleep, 600)
    judging.trusted(time.sleep, 600)
    time.sleep(600)
"""


def test_a_program_that_ends_its_process(judging: Judging) -> None:
    with pytest.raises(BrokenProcessPool):
        judging.trusted(os._exit, 3).result()
    assert judging.trusted(max, 1, 2).result() == 2


def test_nothing_outlives_a_killed_judging() -> None:
    """All processes share the output of the first: it ends when the last of them does."""
    with subprocess.Popen([sys.executable, "-c", ASKING], stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        assert int(asking.stdout.readline())
        time.sleep(1)  # the sleepers are asleep
        os.kill(asking.pid, signal.SIGKILL)
        assert asking.stdout.read() == ""
