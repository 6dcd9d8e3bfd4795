"""Submissions judged while processes are killed: `python -m tests.soak --submissions 1000`, or `make soak`.

Everything is real: the site with its worker on a database of its own, submissions over HTTP, and `kill -9` at random
for the worker, the warm parents, boxes, examiners and the site itself, which is then started again. At the end nothing
may be lost or judged with two verdicts, and every verdict must be the right one. The seed that is printed repeats the
draws, though not the moments.
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from sqlalchemy import Engine, func, select
from sqlmodel import Session

from judge import database, store
from judge.exercise import read_exercise
from judge.tables import State, Submission, VerdictRow
from judge.verdict import Status
from tests.processes import below, command_of

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "cases"
EXERCISE = "demo"
WAITING = 12  # submissions in the queue at a time
KILL_AFTER = (3, 12)  # more verdicts: however slow the machine, there is progress between two kills
KINDS = {"worker": 1, "warm parent": 5, "box": 8, "examiner": 5, "site": 1}  # how often, relative to each other
PATIENCE_S = 120.0  # without a single verdict


@dataclass
class Site:
    """`python -m app` on a free port; started again when it has been killed."""

    folder: Path
    process: subprocess.Popen[bytes] | None = None
    port: int = 0
    database: str = field(init=False)

    def __post_init__(self) -> None:
        self.database = f"sqlite:///{self.folder}/five_lines.sqlite"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def start(self) -> None:
        environment = os.environ | {
            "FIVE_LINES_DATABASE": self.database,
            "FIVE_LINES_EXERCISES": str(CASES),
            "FIVE_LINES_SECRET": "a secret for a soak, long enough to sign with",
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-m", "app", "--port", str(self.port)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log)

    def submit(self, source: str) -> int | None:
        """The submission's number; None while the site cannot be reached."""
        url = f"http://127.0.0.1:{self.port}/api/exercises/{EXERCISE}/submissions"
        try:
            answer = httpx2.post(url, json={"source": source}, timeout=20)  # without a cookie: a new learner
        except httpx2.HTTPError:
            return None
        assert answer.status_code == 201, answer.text
        number: int = answer.json()["id"]
        return number

    def victims(self, kind: str) -> list[int]:
        assert self.process is not None
        family = below(self.process.pid)
        named = {pid: command_of(pid) for pid in family}
        match kind:
            case "site":
                return [self.process.pid]
            case "worker":
                return [pid for pid, command in named.items() if "judge.worker" in command]
            case "examiner":
                return [pid for pid, command in named.items() if "judge.examiner" in command]
        parents = {pid for pid, command in named.items() if "judge.sandbox.parent" in command}
        boxes = [pid for pid in parents if family[pid] in parents and "bwrap" not in named[family[pid]]]
        return boxes if kind == "box" else sorted(parents - set(boxes))

    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(60)


@dataclass
class Soak:
    submissions: int
    seed: int
    site: Site
    killed: Counter[str] = field(default_factory=Counter)
    sent: dict[int, str] = field(default_factory=dict)  # what each accepted submission holds: "right" or a mistake

    def run(self) -> None:
        rng = random.Random(self.seed)
        programs = _programs()
        self.site.start()
        self._until_up()
        engine = database.connect(self.site.database)
        next_kill = rng.randint(*KILL_AFTER)
        progress, since = -1, time.monotonic()
        while (done := _done(engine)) < self.submissions or _open(engine):
            if done != progress:
                if done // 100 > progress // 100:
                    print(f"{done} judged", flush=True)
                progress, since = done, time.monotonic()
            assert self.site.runs(), f"seed {self.seed}: the site ended by itself"
            assert time.monotonic() - since < PATIENCE_S, f"seed {self.seed}: nothing was judged for {PATIENCE_S:g} s"
            if len(self.sent) < self.submissions and _open(engine) < WAITING:
                name = rng.choice(sorted(programs))
                number = self.site.submit(programs[name])
                if number is not None:
                    self.sent[number] = name
            else:
                time.sleep(0.05)
            if done >= next_kill and self._kill_one(rng):
                next_kill = done + rng.randint(*KILL_AFTER)
        self._look_at(engine)
        engine.dispose()

    def _until_up(self) -> None:
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            with suppress(httpx2.HTTPError):
                httpx2.get(f"http://127.0.0.1:{self.site.port}/en/", timeout=5)
                return
            time.sleep(0.2)
        raise AssertionError("the site did not start")

    def _kill_one(self, rng: random.Random) -> bool:
        """Kill a process; False if there is none of the kind drawn."""
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        victims = self.site.victims(kind)
        if not victims:
            return False
        with suppress(ProcessLookupError):
            os.kill(rng.choice(victims), signal.SIGKILL)
            self.killed[kind] += 1
        if kind == "site":
            assert self.site.process is not None
            self.site.process.wait()
            self.site.start()
        return True

    def _look_at(self, engine: Engine) -> None:
        """Nothing lost, one verdict each, and the right one."""
        with Session(engine) as session:
            rows = session.scalars(select(Submission)).all()
            verdicts = session.scalar(select(func.count()).select_from(VerdictRow))
        ids = {row.id for row in rows}
        assert self.sent.keys() <= ids, f"seed {self.seed}: lost {self.sent.keys() - ids}"
        assert verdicts == len(rows), f"seed {self.seed}: {verdicts} verdicts for {len(rows)} submissions"
        for number, name in self.sent.items():
            verdict = store.verdict_of(engine, number)
            assert verdict is not None
            assert verdict.status == (Status.PASSED if name == "right" else Status.FAILED), (self.seed, number, verdict)
            assert [diagnosis.mistake for diagnosis in verdict.diagnoses] == ([] if name == "right" else [name])

    def report(self) -> str:
        killed = ", ".join(f"{count} x {kind}" for kind, count in sorted(self.killed.items()))
        return f"soak (seed {self.seed}): {len(self.sent)} submissions, 0 lost, one right verdict each; killed {killed}"


def _programs() -> dict[str, str]:
    exercise = read_exercise(CASES / EXERCISE)
    wrong = {name: mistake.files[0].read_text() for name, mistake in exercise.mistakes.items()}
    return {"right": exercise.solution, **wrong}


def _done(engine: Engine) -> int:
    return _count(engine, Submission.state == State.DONE)


def _open(engine: Engine) -> int:
    return _count(engine, Submission.state != State.DONE)


def _count(engine: Engine, condition: object) -> int:
    with Session(engine) as session:
        return session.scalar(select(func.count()).select_from(Submission).where(condition)) or 0  # type: ignore[arg-type]


def soak(submissions: int, seed: int | None = None) -> Soak:
    seed = secrets.randbits(32) if seed is None else seed
    print(f"soak: {submissions} submissions, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        run = Soak(submissions, seed, Site(Path(folder)))
        try:
            run.run()
        except AssertionError:
            print((Path(folder) / "log").read_text()[-20_000:], file=sys.stderr)
            raise
        finally:
            run.site.stop()
    return run


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=1000)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    print(soak(options.submissions, options.seed).report())
