"""What runs below a process, read from /proc."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path


def parents() -> dict[int, int]:
    """All processes and their parents."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


def below(pid: int) -> dict[int, int]:
    """The descendants of a process and their parents."""
    everybody = parents()
    found: dict[int, int] = {}
    waiting = {pid}
    while waiting:
        children = {child: parent for child, parent in everybody.items() if parent in waiting}
        found |= children
        waiting = set(children)
    return found


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def warm_parent(pid: int) -> int:
    """The warm parent below a process that judges: the child of bubblewrap that is no bubblewrap itself."""
    (found,) = (child for child, parent in below(pid).items() if _is_wall(parent) and not _is_wall(child))
    return found


def _is_wall(pid: int) -> bool:
    return Path(command_of(pid).partition(" ")[0]).name == "bwrap"


def eventually(condition: Callable[[], bool], *, within_s: float = 20) -> bool:
    """Whether `condition` becomes true; machines under load take their time."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
