"""`make bench`: what a verdict costs against the usual ways, medians and ratios from one run.

ours    grade() with a warm judge: hidden suite outside the wall, a fresh box a check, mistakes recognised
(a)     the same suite beside the solution, `python -m pytest` in a fresh process, no isolation
(b)     (a) under bubblewrap
(c)     the floor: the same probes and asserts called in a warm process, no isolation, no pytest

None of the three names a mistake, so a wrong solution has two rows: judged where no mistake is known, and named.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from judge.exercise import Exercise, load_exercises
from judge.grade import Judge
from judge.sandbox.wall import ONE_THREAD

ROOT = Path(__file__).resolve().parent.parent
FRESH_RUNS, WARM_RUNS = 3, 20
WRONG = {"collate": "mask_from_value.py", "loop": "no_clip.py"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("exercises", nargs="*", default=tuple(WRONG))
    exercises = load_exercises().exercises
    chosen = [exercises[id] for id in parser.parse_args().exercises]
    print(f"{'':24} {'ours ms':>8} {'(a) ms':>8} {'(b) ms':>8} {'(c) ms':>8} {'a/ours':>7} {'b/ours':>7} {'ours/c':>7}")
    with Judge() as judge:
        for exercise in chosen:
            right, wrong = exercise.root / "solution.py", exercise.root / "wrong" / WRONG[exercise.id]
            _print_row(f"{exercise.id} right", judge, exercise, right)
            _print_row(f"{exercise.id} wrong", judge, replace(exercise, mistakes={}), wrong)
            _print_row(f"{exercise.id} wrong, named", judge, exercise, wrong)
    print()
    _print_throughput(chosen[0])
    _print_memory(chosen[0])


def _print_row(name: str, judge: Judge, exercise: Exercise, solution: Path) -> None:
    ours, c = _beside_the_floor(judge, exercise, solution)
    options = ["-q", "-p", "no:cacheprovider", "-p", "bench.beside"]
    fresh = [sys.executable, "-m", "pytest", *options, str(exercise.root / "test_hidden.py")]
    environment = os.environ | ONE_THREAD | {"BENCH_SOLUTION": str(solution), "PYTHONPATH": str(ROOT)}
    walled = [shutil.which("bwrap") or "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    walled += ["--tmpfs", "/tmp", "--ro-bind", str(ROOT), str(ROOT)]  # which may lie under /tmp
    walled += ["--unshare-pid", "--unshare-net", "--unshare-ipc", *fresh]
    a = _median_ms(lambda: _run(fresh, environment))
    b = _median_ms(lambda: _run(walled, environment))
    print(
        f"{name:24} {ours:8.0f} {a:8.0f} {b:8.0f} {c:8.0f} {a / ours:7.1f} {b / ours:7.1f} {ours / c:7.2f}", flush=True
    )


def _beside_the_floor(judge: Judge, exercise: Exercise, solution: Path) -> tuple[float, float]:
    """The medians of ours and of (c), in turns: a machine's speed changes from minute to minute.

    The floor is measured in a process of its own, as warm as the examiner.
    """
    source = solution.read_bytes()
    command = [sys.executable, "-m", "bench.floor", str(exercise.root), str(solution)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=os.environ | ONE_THREAD, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as floor:
        assert floor.stdin is not None
        assert floor.stdout is not None
        ours, c = [], []
        for _ in range(WARM_RUNS):
            time.sleep(0.8)  # what an idle judge has between two submissions: time to make its spare boxes
            print("run", file=floor.stdin, flush=True)
            c.append(float(floor.stdout.readline()))
            ours.append(_ms(lambda: judge.verdict(exercise, source)))
        floor.stdin.close()
    return statistics.median(ours[1:]), statistics.median(c[1:])  # without the first, which is not yet warm


def _median_ms(action: Callable[[], object]) -> float:
    return statistics.median(_ms(action) for _ in range(FRESH_RUNS))


def _ms(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def _run(command: list[str], environment: dict[str, str]) -> None:
    """Run pytest; raises RuntimeError where no test has run."""
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if not re.search(r"\d (passed|failed)", done.stdout):
        raise RuntimeError(done.stdout + done.stderr)


def _print_throughput(exercise: Exercise) -> None:
    """Two judges side by side, as a worker with two slots has them, kept busy."""
    source = (exercise.root / "solution.py").read_bytes()
    runs = 30

    def busy(judge: Judge) -> None:
        for _ in range(runs):
            judge.verdict(exercise, source)

    with Judge() as one, Judge() as two, ThreadPoolExecutor(2) as threads:
        began = time.perf_counter()
        list(threads.map(busy, [one, two]))
        print(f"verdicts a second on two workers, {exercise.id}: {2 * runs / (time.perf_counter() - began):.1f}")


def _print_memory(exercise: Exercise) -> None:
    """What a box holds of its own while it runs, and what a fresh process holds."""
    print("private memory:", _run_memory("box"), "MiB a box,", _run_memory("fresh"), "MiB a fresh process with torch")


def _run_memory(what: str) -> str:
    command = [sys.executable, "-m", "bench.memory", what]
    output = subprocess.run(command, env=os.environ | ONE_THREAD, cwd=ROOT, capture_output=True, text=True, check=True)
    return output.stdout.strip()


if __name__ == "__main__":
    main()
