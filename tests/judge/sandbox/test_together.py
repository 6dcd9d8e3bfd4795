"""What is counted for the processes of a box; the box itself is in `test_client.py`."""

from __future__ import annotations

import mmap
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.sandbox import together

MIB = 1024


@pytest.fixture
def parent() -> Iterator[int]:
    """A process with a child, both of odd names: 64 MiB that they share, and 64 of the child's own."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        shared = bytearray(b"x") * (64 * 2**20)
        Path("/proc/self/comm").write_bytes(b"\xff) R 0 0")
        if os.fork() == 0:
            Path("/proc/self/comm").write_bytes(b"\rRssAnon: x")
            own = bytearray(b"x") * (32 * 2**20)
            mapped = mmap.mmap(-1, 32 * 2**20)  # what is mapped to be shared counts too
            mapped.write(own)
            os.write(writer, b"\0")
            signal.pause()
            os._exit(len(own))
        signal.pause()
        os._exit(len(shared))
    os.close(writer)
    assert os.read(reader, 1), "the child did not grow"
    os.close(reader)
    yield pid
    for member in together.members([pid])[pid]:
        os.kill(member, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_members_are_found_whatever_they_are_called(parent: int) -> None:
    pids = together.members([parent])[parent]
    assert parent in pids
    assert len(pids) == 2


def test_what_is_shared_counts_once(parent: int) -> None:
    pids = together.members([parent])[parent]
    alone = sum(map(together._own_kib, pids))
    used = together.used_kib(pids, enough_kib=0, shared_kib=0)
    assert 120 * MIB < used < alone - 56 * MIB


def test_a_rough_look_may_do(parent: int) -> None:
    pids = together.members([parent])[parent]
    rough = sum(map(together._own_kib, pids))
    assert together.used_kib(pids, enough_kib=rough + MIB, shared_kib=0) == 0  # the kernel's own count trails a little


def test_where_the_kernel_tells_no_more(parent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pids = together.members([parent])[parent]
    read = together._read

    def refused(path: str) -> bytes:
        if path.endswith("smaps_rollup"):
            raise PermissionError
        return read(path)

    monkeypatch.setattr(together, "_read", refused)
    ours = together._own_kib(os.getpid())
    assert 180 * MIB < together.used_kib(pids, enough_kib=0, shared_kib=ours) < 260 * MIB


def test_who_has_ended_has_nothing() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    assert together.members([pid]) == {pid: []}
    assert together.used_kib([pid], enough_kib=-1, shared_kib=0) == 0
