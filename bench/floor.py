"""For each line it reads, calls all checks of a suite in this warm process and prints the milliseconds it took."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from bench.beside import run_beside
from judge.examiner.suite import read_checks
from judge.program import compiled
from judge.sandbox.warm import warm_up


def main() -> None:
    folder, solution = map(Path, sys.argv[1:])
    warm_up()
    checks = read_checks(folder / "test_hidden.py").values()
    for _ in sys.stdin:
        compiled.cache_clear()  # each submission is a new program
        began = time.perf_counter()
        for check in checks:
            run_beside(check.function, folder, solution)
        print((time.perf_counter() - began) * 1000, flush=True)


if __name__ == "__main__":
    main()
