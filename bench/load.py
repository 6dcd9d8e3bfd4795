"""`python -m bench.load`: 300 learners submit within a minute, on a site and a worker of their own.

Every learner opens an exercise's page, submits a right or a wrong solution over HTTP, and follows it as the page does
until the verdict is there. Printed: how long pages and verdicts took, whether every verdict was the right one and every
position in the queue honest (it only falls), and how much memory the site and the worker with all below it held at
most.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from bench.memory import Watch
from judge.exercise import load_exercises

ROOT = Path(__file__).resolve().parent.parent
EXERCISES = ("collate", "loop")
PATIENCE_S = 300.0  # without any event


@dataclass
class Seen:
    """What the learners saw."""

    pages_ms: list[float] = field(default_factory=list)
    verdicts_s: list[float] = field(default_factory=list)
    wrong_verdicts: list[str] = field(default_factory=list)
    dishonest_positions: int = 0
    refused: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__.splitlines()[0])
    parser.add_argument("--learners", type=int, default=300)
    parser.add_argument("--within-s", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        environment = os.environ | {"FIVE_LINES_DATABASE": f"sqlite:///{folder}/load.sqlite", "PYTHONPATH": str(ROOT)}
        site = subprocess.Popen([sys.executable, "-m", "app", "--port", str(port)], env=environment, cwd=ROOT)
        try:
            address = f"http://127.0.0.1:{port}"
            _until_judging(address)
            with Watch(site.pid, every_s=2) as memory:
                seen = _submit_all(address, options.learners, options.within_s)
            _print(seen, options.learners, memory.most_mib)
        finally:
            site.terminate()
            site.wait(60)


def _submit_all(address: str, learners: int, within_s: float) -> Seen:
    seen = Seen()
    programs = list(_programs())
    rng = random.Random(7)
    starts = sorted(rng.uniform(0, within_s) for _ in range(learners))
    began = time.monotonic()
    with ThreadPoolExecutor(learners) as threads:
        for start in starts:
            threads.submit(_learn, address, seen, rng.choice(programs), began + start)
    return seen


def _learn(address: str, seen: Seen, program: tuple[str, str, str], at: float) -> None:
    """One learner: the page, the submission, the verdict."""
    exercise, mistake, source = program
    time.sleep(max(0.0, at - time.monotonic()))
    with httpx2.Client(base_url=address, timeout=60) as browser:
        began = time.monotonic()
        browser.get(f"/en/exercises/{exercise}").raise_for_status()
        seen.pages_ms.append((time.monotonic() - began) * 1000)
        began = time.monotonic()
        accepted = browser.post(f"/api/exercises/{exercise}/submissions", json={"source": source})
        if accepted.status_code != 201:
            seen.refused += 1
            return
        number, position = accepted.json()["id"], accepted.json()["position"]
        for event in _events(browser, number):
            match event["event"]:
                case "waiting":
                    seen.dishonest_positions += event["position"] > position
                    position = event["position"]
                case "finished":
                    seen.verdicts_s.append(time.monotonic() - began)
                    if not _is_right(event["verdict"], mistake):
                        seen.wrong_verdicts.append(f"{exercise}, {mistake or 'right'}: {_said(event['verdict'])}")
                    return
    seen.wrong_verdicts.append(f"{exercise}, {mistake or 'right'}: no verdict")


def _events(browser: httpx2.Client, number: int) -> Iterator[dict[str, Any]]:
    with browser.stream("GET", f"/api/submissions/{number}/events", timeout=PATIENCE_S) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def _is_right(verdict: dict[str, Any], mistake: str) -> bool:
    """Whether it passes a right solution, or names the mistake that a wrong one makes."""
    if not mistake:
        return bool(verdict["status"] == "passed")
    return [diagnosis["mistake"] for diagnosis in verdict["diagnoses"]] == [mistake]


def _said(verdict: dict[str, Any]) -> str:
    checks = {check["id"]: check["status"] for check in verdict["checks"] if check["status"] != "passed"}
    return f"{verdict['status']}, {checks}, {verdict['diagnoses']}, seed {verdict['seed']}"


def _programs() -> list[tuple[str, str, str]]:
    """Right and wrong solutions: exercise, the mistake it makes or nothing, source."""
    exercises = load_exercises().exercises
    found = []
    for exercise in (exercises[id] for id in EXERCISES):
        found.append((exercise.id, "", exercise.solution))
        for mistake in exercise.mistakes.values():
            found.append((exercise.id, mistake.name, mistake.files[0].read_text()))
    return found


def _until_judging(address: str) -> None:
    """Until the worker has given its first verdict: it starts after the site."""
    program = _programs()[0]
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with suppress(httpx2.HTTPError):
            seen = Seen()
            _learn(address, seen, program, 0)
            if seen.verdicts_s:
                return
        time.sleep(0.3)
    raise SystemExit("no verdict came")


def _print(seen: Seen, learners: int, memory_mib: float) -> None:
    print(
        f"{learners} learners: {len(seen.verdicts_s)} verdicts, {len(seen.wrong_verdicts)} of them wrong, "
        f"{seen.refused} refused, {seen.dishonest_positions} positions that rose"
    )
    for wrong in seen.wrong_verdicts:
        print(f"  wrong: {wrong}")
    print(f"page        median {statistics.median(seen.pages_ms):6.0f} ms   p95 {_p95(seen.pages_ms):6.0f} ms")
    print(f"verdict     median {statistics.median(seen.verdicts_s):6.1f} s    p95 {_p95(seen.verdicts_s):6.1f} s")
    print(f"memory      at most {memory_mib:.0f} MiB, site and worker with all their processes")


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
