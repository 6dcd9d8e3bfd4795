"""Prints the median milliseconds of all checks of a suite called one after the other in this warm process."""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from bench.beside import run_beside
from judge.examiner.suite import read_checks
from judge.program import compiled
from judge.sandbox.warm import warm_up


def main() -> None:
    folder, solution, runs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    warm_up()
    checks = read_checks(folder / "test_hidden.py").values()
    times = []
    for _ in range(runs):
        compiled.cache_clear()  # each submission is a new program
        began = time.perf_counter()
        for check in checks:
            run_beside(check.function, folder, solution)
        times.append((time.perf_counter() - began) * 1000)
    print(statistics.median(times))


if __name__ == "__main__":
    main()
