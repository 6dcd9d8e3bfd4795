"""Prints the median milliseconds of all checks of a suite called one after the other in this warm process."""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time
from pathlib import Path
from types import ModuleType

from bench.beside import run_beside
from judge.program import compiled
from judge.sandbox.warm import warm_up


def main() -> None:
    folder, solution, runs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    warm_up()
    suite = _imported(folder / "test_hidden.py")
    checks = [function for name, function in vars(suite).items() if name.startswith("test_")]
    times = []
    for _ in range(runs):
        compiled.cache_clear()  # each submission is a new program
        began = time.perf_counter()
        for check in checks:
            run_beside(check, folder, solution)
        times.append((time.perf_counter() - began) * 1000)
    print(statistics.median(times))


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("suite", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["suite"] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
