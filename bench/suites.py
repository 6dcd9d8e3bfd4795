"""`python -m bench.suites`: how long a right solution's verdict takes in each exercise, and its slowest check.

Judged warm and one after the other, as an idle site does. `at most` is what a verdict may take; `memory` is what the
judge with all its processes holds at the peak. A line over its bound is marked, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time

from bench.memory import Watch
from judge.exercise import Exercise, load_exercises
from judge.grade import Judge
from judge.verdict import Verdict

AT_MOST_S = {"resume": 3.0, "amp": 3.0, "pipeline": 25.0}
ELSE_AT_MOST_S = 1.0
RUNS = 5
PAUSE_S = 0.8  # in which an idle judge makes its spare boxes


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.suites", description=__doc__.splitlines()[0])
    parser.add_argument("exercises", nargs="*")
    known = load_exercises().exercises
    chosen = [known[id] for id in parser.parse_args().exercises] or list(known.values())
    print(f"{'':16} {'verdict ms':>10} {'at most':>8} {'memory MiB':>11}   slowest check")
    with Judge() as judge:
        return max(_print_row(judge, exercise) for exercise in chosen)


def _print_row(judge: Judge, exercise: Exercise) -> int:
    """1 if the exercise is over its bound."""
    timed = [_verdict(judge, exercise) for _ in range(RUNS)]
    took_ms = statistics.median(ms for ms, _ in timed)
    slowest = max(timed[-1][1].checks, key=lambda check: check.duration_ms)
    at_most_ms = 1000 * AT_MOST_S.get(exercise.id, ELSE_AT_MOST_S)
    over = took_ms > at_most_ms
    print(
        f"{exercise.id:16} {took_ms:10.0f} {at_most_ms:8.0f} {_memory_mib(judge, exercise):11.0f}   "
        f"{slowest.duration_ms:.0f} ms  {slowest.title}{'   OVER' if over else ''}",
        flush=True,
    )
    return int(over)


def _verdict(judge: Judge, exercise: Exercise) -> tuple[float, Verdict]:
    time.sleep(PAUSE_S)
    began = time.perf_counter()
    verdict = judge.verdict(exercise, exercise.solution)
    return (time.perf_counter() - began) * 1000, verdict


def _memory_mib(judge: Judge, exercise: Exercise) -> float:
    with Watch(os.getpid(), every_s=0.02) as memory:
        judge.verdict(exercise, exercise.solution)
    return memory.most_mib


if __name__ == "__main__":
    sys.exit(main())
