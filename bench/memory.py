"""Prints the private memory in MiB, to one decimal, of a box or of a fresh process, after a short training loop.

Both are plain forks or processes of this machine: the wall's namespaces hold no memory of the process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


if __name__ == "__main__":
    print(f"{box_mib() if sys.argv[1] == 'box' else fresh_mib():.1f}")
