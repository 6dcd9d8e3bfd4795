"""What processes hold. `python -m bench.memory box` (or `fresh`) prints the private memory in MiB, to one decimal, of a
box (of a fresh process) after a short training loop.

Both are plain forks or processes of this machine: the wall's namespaces hold no memory of the process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

LOOP = """
import torch
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(20):
    optimizer.zero_grad()
    model(torch.randn(16, 8)).pow(2).mean().backward()
    optimizer.step()
"""


def private_mib(pid: int | str = "self") -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kib = sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Dirty", "Private_Clean")))
    return kib / 1024


def box_mib() -> float:
    """In a fork of a warm parent, as every box is."""
    from judge.sandbox.warm import warm_up

    warm_up()
    reader, writer = os.pipe()
    if os.fork() == 0:
        exec(LOOP, {})
        os.write(writer, str(private_mib()).encode())
        os._exit(0)
    return float(os.read(reader, 64))


def fresh_mib() -> float:
    code = f"{LOOP}\nfrom bench.memory import private_mib\nprint(private_mib())"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


class Watch:
    """Watches what a process and all below it hold, as proportional set size: shared pages count once.

    A look takes a few milliseconds of each process's time: nothing is to be timed meanwhile.
    """

    def __init__(self, pid: int, *, every_s: float) -> None:
        self.most_mib = 0.0
        self._pid = pid
        self._every_s = every_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.most_mib = max(self.most_mib, sum(map(_pss_mib, _family(self._pid))))
            if self._over.wait(self._every_s):
                return


def _family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += _family(int(child))
    return found


def _pss_mib(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    print(f"{box_mib() if sys.argv[1] == 'box' else fresh_mib():.1f}")
