"""Temporary folders that do not outlive their process, however it ends.

Theory of operation. The folder is locked as long as the process, or a fork of it, lives. That keeps programs away that
clean up old temporary files, and tells the next process that makes such a folder which of them the killed have left.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path


def locked_folder(prefix: str) -> tuple[Path, int]:
    """A new folder, and the descriptor that holds its lock; what the killed have left under `prefix` is removed."""
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        lock = _lock(left)
        if lock is not None:
            remove(left, lock)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        lock = _lock(folder)
        if lock is not None and folder.exists():  # else another process took it for left behind, before it was locked
            return folder, lock


def remove(folder: Path, lock: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)


def _lock(folder: Path) -> int | None:
    """A descriptor that locks the folder until it is closed; None if another process has it, or it is not ours."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock
