"""A worker in a process of its own, as far as its name goes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Another:
    """Holds a worker's name until it is killed."""

    def __init__(self, url: str) -> None:
        code = (
            "import sys; from judge.presence import Workers\n"
            f"workers = Workers({url!r}); print(workers.join(), flush=True); sys.stdin.read()"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.name = self._process.stdout.readline().strip()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()
