"""Says what this machine gives the judge: the wall, its limits, the device; and what to install."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import shutil
import subprocess
import time
from pathlib import Path

from judge.command.exits import NOT_PASSED, PASSED
from judge.exercise import Shelf
from judge.grade import Judge
from judge.language import Translate, translator
from judge.sandbox.wall import NoWall


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
    width = max(map(len, rows))
    for name, value in rows.items():
        print(f"{name:{width}}  {value}")
    return PASSED if walled else NOT_PASSED


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
