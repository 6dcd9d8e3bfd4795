"""What is counted for the processes of a box; the box itself is in `test_client.py`."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyseccomp
import pytest

from judge.sandbox import together

MIB = 1024
EXIT_ALONE = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, "exit")  # of a thread; Python ends all of them


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


@pytest.fixture
def headless() -> Iterator[int]:
    """A process whose first thread has ended while another one holds 64 MiB and a socket."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:

        def hold() -> None:
            own = bytearray(b"x") * (64 * 2**20)
            with socket.socket(socket.AF_UNIX):
                os.write(writer, b"\0")
                time.sleep(60)
            os._exit(len(own))

        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(EXIT_ALONE, 0)
    os.close(writer)
    assert os.read(reader, 1), "the thread did not begin"
    os.close(reader)
    yield pid
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_a_process_whose_first_thread_has_ended_has_what_the_others_have(headless: int) -> None:
    assert together.members([headless]) == {headless: [headless]}
    assert together.used_kib([headless], enough_kib=0, shared_kib=0) > 60 * MIB
    assert together.sockets(headless) > 0
    assert together.headless(headless)
    assert not together.headless(os.getpid())


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
