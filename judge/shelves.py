"""The exercises as they are at the moment: folders are read again when they change on disk.

Theory of operation. What is shown and judged by is a version of a folder: a copy, in a temporary folder of this
process, made when the folder was seen to have changed and had not changed again while it was copied. So nobody is
judged by a folder that is half saved, and a folder that has become broken keeps its last good version; so does one that
cannot be copied, as to a full disk, which is tried again at each look. A version is removed once nobody holds its
exercise any more: who is judging by it finishes first.

To see a change no file is opened: a folder's stamp are the names, times and sizes of its files.
"""

from __future__ import annotations

import errno
import logging
import math
import secrets
import shutil
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from judge.exercise import Broken, Exercise, Problem, Shelf, arranged, exercise_folders, is_content, read_exercise
from judge.temporary import locked_folder, remove
from judge.text import on_one_line

REST_S = 0.5  # the disk is not looked at more often
PREFIX = "five-lines-exercises-"

Stamp = tuple[tuple[str, int, int], ...]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Folder:
    """What is known of a folder since its files had this stamp."""

    stamp: Stamp | None = None  # None: not read yet
    good: Exercise | None = None  # its last good version
    good_at: datetime | None = None  # when the last of that version's files was written
    problem: Problem | None = None


class Shelves:
    """The exercises of some roots. Threads may share it. `close` removes its versions, or else the process's end."""

    def __init__(self, roots: Iterable[Path], *, rest_s: float = REST_S) -> None:
        self._roots = [root.resolve() for root in roots]
        self._rest_s = rest_s
        self._look_again_at = -math.inf
        self._lock = threading.Lock()
        self._versions, lock = locked_folder(PREFIX)
        self.close = weakref.finalize(self, remove, self._versions, lock)
        self._known: dict[Path, _Folder] = {}
        self._shelf = Shelf({}, {}, [])

    def shelf(self) -> Shelf:
        """The exercises in their last good versions, and what is wrong with folders."""
        with self._lock:
            if time.monotonic() >= self._look_again_at:
                self._look()
                self._look_again_at = time.monotonic() + self._rest_s
            return self._shelf

    def get(self, exercise_id: str) -> Exercise | None:
        return self.shelf().exercises.get(exercise_id)

    def _look(self) -> None:
        stamps = {folder: _stamp(folder) for folder in exercise_folders(self._roots)}
        if stamps == {folder: known.stamp for folder, known in self._known.items()}:
            return
        self._known = {folder: self._seen(folder, stamp) for folder, stamp in stamps.items()}
        good = [(folder, known.good) for folder, known in self._known.items() if known.good is not None]
        problems = [known.problem for known in self._known.values() if known.problem is not None]
        before = self._shelf.problems
        self._shelf = arranged(good, problems)
        for problem in self._shelf.problems:
            if problem not in before:
                log.warning("%s", on_one_line(f"{problem.folder.parent}/{problem}"))

    def _seen(self, folder: Path, stamp: Stamp) -> _Folder:
        known = self._known.get(folder, _Folder())
        if known.stamp == stamp:
            return known
        home = self._versions / secrets.token_hex(8)
        try:
            copy = _copied(folder, home)
            if _stamp(folder) != stamp:
                raise _StillChanging
            exercise = read_exercise(copy)
        except Broken as broken:
            shutil.rmtree(home, ignore_errors=True)
            problem = Problem(folder, broken.file, broken.cause, shown=known.good_at)
            # Without a stamp, the next look comes here again: a full disk may have room then.
            return _Folder(None if isinstance(broken, _NotCopied) else stamp, known.good, known.good_at, problem)
        except _StillChanging:
            shutil.rmtree(home, ignore_errors=True)
            return known  # it does not have this stamp either
        weakref.finalize(exercise, shutil.rmtree, home, ignore_errors=True).atexit = False
        return _Folder(stamp, exercise, _changed_at(stamp))


class _StillChanging(Exception):
    """A folder was written to while it was copied."""


class _NotCopied(Broken):
    """Nothing is known to be wrong with the folder itself."""


_LATEST = datetime(9999, 12, 31, tzinfo=UTC).timestamp()


def _changed_at(stamp: Stamp) -> datetime:
    """When the newest of the files was written, as it says: it may say the year 11,000."""
    return datetime.fromtimestamp(min(max(changed for _, changed, _ in stamp) / 1e9, _LATEST), UTC)


def _copied(folder: Path, home: Path) -> Path:
    def left_out(_: str, names: list[str]) -> list[str]:
        return [name for name in names if not is_content(name)]

    try:
        return Path(shutil.copytree(folder, home / folder.name, ignore=left_out, ignore_dangling_symlinks=True))
    except shutil.Error as error:
        source, _, cause = error.args[0][0]
        raise _NotCopied(Path(source).relative_to(folder).as_posix(), f"cannot be copied: {cause}") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _NotCopied("", f"cannot be copied: {error.strerror}") from None
        raise _StillChanging from None  # the folder itself is gone, or cannot be listed


def _stamp(folder: Path) -> Stamp:
    """Something that is another when a file in the folder, or in a folder in it, is."""
    try:
        return tuple(sorted(_files(folder, depth=2)))
    except OSError:  # it is changing at this moment: another stamp each time
        return (("", time.monotonic_ns(), 0),)


def _files(folder: Path, depth: int) -> Iterator[tuple[str, int, int]]:
    for path in folder.iterdir():
        if not is_content(path.name):
            continue
        if not path.is_dir():
            info = path.stat() if path.exists() else path.lstat()
            yield str(path), info.st_mtime_ns, info.st_size
        elif depth > 1:
            yield from _files(path, depth - 1)
