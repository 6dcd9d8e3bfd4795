"""How much memory all processes of a box use together: the kernel's own limits hold for each of them alone.

The warm parent sees them in its /proc. Names of processes are theirs to choose, so everything is read as bytes, and
a line ends where the kernel ends it: it escapes line feeds in a name, and no carriage return.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Collection, Iterable, Iterator


def members(boxes: Collection[int]) -> dict[int, list[int]]:
    """The processes of each box. Whoever loses its parent becomes a child of its box, so all lead back to theirs."""
    parents = {pid: _parent(pid) for pid in map(int, filter(str.isdigit, os.listdir("/proc")))}
    found: dict[int, list[int]] = {box: [] for box in boxes}
    for pid in parents:
        at = pid
        for _ in parents:  # a number that was given anew meanwhile could lead round in a circle
            if at in found:
                found[at].append(pid)
                break
            at = parents.get(at, 0)
    return found


def used_kib(pids: Iterable[int], *, enough_kib: int, shared_kib: int) -> int:
    """What `pids` have in memory together, at least where it is more than `enough_kib`.

    What they share counts once. A first look that counts it for each of them takes little time, and mostly will do.
    Where the kernel does not tell us more, each may have `shared_kib` for nothing.
    """
    rough = {pid: _own_kib(pid) for pid in pids}
    if sum(rough.values()) <= enough_kib:
        return 0
    return sum(_share_kib(pid, max(0, rough_kib - shared_kib)) for pid, rough_kib in rough.items())


def sockets(pid: int) -> int:
    """How many there are in the namespace of a process, those included that are closed and hold what was sent."""
    return _told_by_a_thread(pid, "net/unix").count(b"\n")


def born(pids: Iterable[int]) -> int:
    """The largest number that one of `pids` has within its box, where they are numbered as they are born."""
    return max(map(_number, pids), default=0)


def headless(pid: int) -> bool:
    """Whether the first thread has ended and others have not: for a moment, while all of them end."""
    fields = _stat(pid)
    return bool(fields) and fields[0] == b"Z" and int(fields[17]) > 1


def _parent(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def _stat(pid: int) -> list[bytes]:
    """State, parent and so on: what comes after the name."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _own_kib(pid: int) -> int:
    """What is in memory and belongs to no file."""
    lines = _told_by_a_thread(pid, "status", b"RssAnon:").split(b"\n")
    return sum(int(line.split()[1]) for line in lines if line.startswith((b"RssAnon:", b"RssShmem:")))


def _number(pid: int) -> int:
    lines = _read(f"/proc/{pid}/status").split(b"\n")
    return next((int(line.split()[-1]) for line in lines if line.startswith(b"NSpid:")), 0)


def _share_kib(pid: int, otherwise_kib: int) -> int:
    """What is in memory, a page that several processes have divided among them; needs CAP_SYS_PTRACE."""
    try:
        lines = _told_by_a_thread(pid, "smaps_rollup").split(b"\n")
    except PermissionError:
        return otherwise_kib
    return sum(int(line.split()[1]) for line in lines if line.startswith(b"Pss:"))


def _told_by_a_thread(pid: int, name: str, holding: bytes = b"") -> bytes:
    """A file that is the same for all threads of a process. One that has ended tells nothing, the first one too."""
    for thread in _listed(f"/proc/{pid}/task"):
        told = _read(f"/proc/{pid}/task/{thread}/{name}")
        if told and holding in told:
            return told
    return b""


def _listed(folder: str) -> list[str]:
    with _nothing_once_ended():
        return os.listdir(folder)
    return []


def _read(path: str) -> bytes:
    with _nothing_once_ended(), open(path, "rb") as file:
        return file.read()
    return b""


@contextlib.contextmanager
def _nothing_once_ended() -> Iterator[None]:
    """What is not there to be read was of a process that has ended meanwhile."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ESRCH, errno.ENXIO):  # the last: its namespaces are going
            raise
