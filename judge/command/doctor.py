"""Says what this machine gives the judge: the wall, its limits, the device; and what to install or to mend."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from judge.command.exits import NOT_PASSED, PASSED
from judge.exercise import Shelf
from judge.grade import Judge
from judge.language import Translate, translator
from judge.sandbox.wall import NoWall

OLDEST_KERNEL = (5, 10)  # the oldest that kernel.org still maintains


def doctor(shelf: Shelf, arguments: argparse.Namespace) -> int:
    """Exit 0 when learner code of strangers could be judged here, else 1."""
    say = translator(arguments.lang)
    walled, wall = _wall()
    rows = {
        "Python": f"{platform.python_version()} on {platform.platform()}",
        "torch": _version("torch"),
        say("Sandbox"): wall,
        say("Rights"): say("started by root: each box gets a user id of its own")
        if os.geteuid() == 0
        else say("started by a user: boxes live in a user namespace without capabilities"),
        say("Limits"): say("time, processor time, memory, files, output and processes of each box"),
        say("Memory of all boxes"): _cgroup(say),
        say("Device"): _device(say),
        say("Exercises"): str(len(shelf.exercises))
        + (f", {len(shelf.problems)} {say('left out')}" if shelf.problems else ""),
    }
    for name, value in rows.items():
        print(f"{name}: {value}")
    for weakness in _weaknesses(shelf, say):
        print(f"{say('Weakened')}: {weakness}")
    return PASSED if walled else NOT_PASSED


def _weaknesses(shelf: Shelf, say: Translate) -> Iterator[str]:
    """What makes this host a worse place for strangers' code than it need be; `docs/security.md` says why."""
    if os.geteuid() == 0:
        yield say("the judge runs as root: a hole in the kernel would hand that to a box. Run it as an ordinary user.")
    numbers = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
    if sys.platform == "linux" and numbers < OLDEST_KERNEL:
        template = say("Linux {release} is no longer repaired everywhere: use {oldest} or newer.")
        yield template.format(release=platform.release(), oldest=".".join(map(str, OLDEST_KERNEL)))
    for root in sorted({exercise.root.parent for exercise in shelf.exercises.values()}):
        if root.stat().st_mode & stat.S_IWOTH:
            template = say("{path} can be written by everybody, and hidden suites run outside the wall: chmod o-w")
            yield template.format(path=root)


def _wall() -> tuple[bool, str]:
    began = time.perf_counter()
    try:
        with Judge():
            seconds = time.perf_counter() - began
    except NoWall as reason:
        return False, f"none: {reason}"
    command = shutil.which("bwrap") or ""
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603
    return True, f"{version}, seccomp; warm after {seconds:.1f} s"


def _cgroup(say: Translate) -> str:
    controllers = Path("/sys/fs/cgroup/cgroup.controllers")
    if controllers.exists():
        return f"cgroup v2 ({controllers.read_text().strip() or 'no controllers'})"
    if Path("/sys/fs/cgroup/memory").is_dir():
        return "cgroup v1"
    return say("no cgroups: only each box is limited")


def _device(say: Translate) -> str:
    if Path("/dev/nvidia0").exists():
        return "cuda"
    return say("cpu (no GPU found)")


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed: run `make setup`"
