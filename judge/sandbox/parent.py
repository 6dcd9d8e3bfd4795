"""The warm parent: `python -m judge.sandbox.parent SOCKET_FD MODE` imports torch, then forks boxes on request.

It keeps a few spare boxes, forked and locked ahead, so that a request finds one ready. It reads nothing but
requests from its own socket, which only the judge holds: it never sees an answer of a box, nor the learner's code.

A request is {"folder": name or null, "together_mib": number or null} with four descriptors: questions, answers,
output, lifeline. Boxes that name one folder share it as their work folder (and their user id); it lasts as long as the
lifeline of a request {"keep": name}, which carries one descriptor. A box that may have processes is looked at again and
again while it works, and killed when all of them together use more than `together_mib` beyond what they share with us.
It begins when those before it that were killed are gone with all of theirs, which a line feed on its lifeline says.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import secrets
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import time
from dataclasses import dataclass

from judge import wire
from judge.program import packed
from judge.sandbox import box, lock, together
from judge.sandbox.warm import warm_up

# As many as the checks of nearly every exercise: a judging finds its boxes made, new ones are made when it is over.
SPARE_BOXES = 16
_IDLE_S = 0.1
_DYING_S = 10.0  # killed processes with very much to give back take so long
_LOOK_S = 0.05  # between two looks at the memory of boxes that may have processes
_MAX_LOOK_S = 0.5  # of processor time at one box: memory in tens of thousands of maps would be seen too seldom
_HEADLESS_S = 1.0  # how long there may be processes whose first thread has ended: dying takes some milliseconds
MAX_BORN = 2_000  # processes and threads of a box in all its life; loaders start some dozens
MAX_SOCKETS = 256  # of a box; each may hold 208 KiB that are no memory of a process
MODES = ("root", "user", "plain")


@dataclass
class _Spare:
    pid: int
    handoff: socket.socket


@dataclass
class _Folder:
    path: str
    uid: int | None


class WarmParent:
    def __init__(self, control: socket.socket, mode: str) -> None:
        assert mode in MODES
        warm_up()
        self._control = control
        self._mode = mode
        self._spares: list[_Spare] = []
        self._lifelines: dict[int, socket.socket] = {}  # of the boxes at work, by pid
        self._crowds: dict[int, int] = {}  # boxes at work that may have processes: what all may use, in KiB
        self._too_large: set[int] = set()  # those that were killed for using more
        self._dying: set[int] = set()  # those that were killed, until all their processes are gone
        self._headless_since: dict[int, float] = {}  # boxes of which each look finds such a process
        self._next_look = 0.0
        self._folders: dict[str, _Folder] = {}
        # Not from 0: limits on processes hold for a user id, and other parents have boxes too.
        self._boxes_made = secrets.randbelow(lock.BOX_UIDS)
        self._own_memory_kib = _peak_kib(resource.getrusage(resource.RUSAGE_SELF))
        self._mapped = lock.mapped() if sys.platform == "linux" else None
        self._walls = None if mode == "plain" else _walls(mode)
        # unshare(NEWPID) holds for all later forks; returning to our own namespace after each lets every box have one.
        self._own_pids = None if mode == "plain" else os.open("/proc/self/ns/pid", os.O_RDONLY)
        self._selector = selectors.DefaultSelector()
        if mode != "plain":
            for device in lock.DEVICES:
                lock.read_only(f"/dev/{device}")

    def serve(self) -> None:
        """Make boxes until the control socket closes."""
        ended_reader, ended_writer = os.pipe()
        os.set_blocking(ended_writer, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ended_writer, warn_on_full_buffer=False)
        self._selector.register(ended_reader, selectors.EVENT_READ, "ended")
        self._selector.register(self._control, selectors.EVENT_READ, "request")
        self._try_a_box()
        self._control.sendall(b"ready")
        while True:
            # A fork takes 20 ms in which a request would wait, so spares are made when nothing has come for a while.
            idle_s = _IDLE_S if len(self._spares) < SPARE_BOXES else None
            ready = self._selector.select(_LOOK_S if self._crowds else idle_s)
            self._look()
            while not ready and len(self._spares) < SPARE_BOXES:
                self._spares.append(self._fork(None, ahead=True))
                self._look()
                ready = self._selector.select(0)
            # Who lets go of a box before asking for the next one is heard in that order.
            for key, _ in sorted(ready, key=lambda one: one[0].data == "request"):
                if key.data == "ended":
                    os.read(ended_reader, 4096)
                    self._reap()
                elif key.data == "request":
                    if not self._take_request():
                        return
                elif isinstance(key.data, int):
                    self._kill(key.data)
                else:
                    self._drop_folder(key)

    def _try_a_box(self) -> None:
        """A wall that cannot be built shows here, at the start, and not with the first submission."""
        answer = self._answer_of_a_box() or self._answer_of_a_box()  # none: somebody killed it
        if answer != wire.encode({"value": None}):
            raise SystemExit(f"a box could not be made: {answer.decode(errors='replace')}")

    def _answer_of_a_box(self) -> bytes:
        spare = self._fork(None)
        questions_end, questions = os.pipe()
        answers, answers_end = os.pipe()
        with open(os.devnull, "wb") as output:
            _hand_over(spare, [questions_end, answers_end, output.fileno()])
        os.close(questions_end)
        os.close(answers_end)
        limits = {"cpu_s": 5, "memory_mib": 512, "processes": 0, "file_kib": 1024}
        nothing = packed("", "")
        load = wire.encode({"source": "", "solution": nothing, "probe": nothing, "limits": limits})
        with contextlib.suppress(BrokenPipeError), open(questions, "wb") as asked:
            asked.write(load)
        with open(answers, "rb") as said:
            answer = said.read()  # until the box, which sees that no more questions come, has ended
        os.waitpid(spare.pid, 0)
        return answer

    def _take_request(self) -> bool:
        data, fds, _, _ = socket.recv_fds(self._control, 4096, 4)
        if not data:
            return False
        request = json.loads(data)
        if "keep" in request:
            self._make_folder(request["keep"], socket.socket(fileno=fds[0]))
            return True
        *ends, lifeline_fd = fds
        together_mib = request["together_mib"]
        if together_mib is not None:
            self._let_the_dying_end()
        pid = self._box(request["folder"], ends)
        for end in ends:
            os.close(end)
        lifeline = socket.socket(fileno=lifeline_fd)
        self._lifelines[pid] = lifeline
        if together_mib is not None:
            if self._walls is not None:
                self._crowds[pid] = together_mib * 1024 + self._own_memory_kib
            with contextlib.suppress(OSError):  # nobody waits for it any more
                lifeline.sendall(b"\n")
        self._selector.register(lifeline, selectors.EVENT_READ, pid)
        return True

    def _let_the_dying_end(self) -> None:
        """What dies of a box would count as the next one's: all boxes of a user's judge have that user's id."""
        until = time.monotonic() + _DYING_S
        while self._dying and time.monotonic() < until:
            time.sleep(0.002)
            self._look()
            self._reap()

    def _box(self, folder: str | None, ends: list[int]) -> int:
        """The process id of a box that has been given its ends of wire and output."""
        while folder is None and self._spares:
            spare = self._spares.pop(0)
            if _hand_over(spare, ends):
                return spare.pid
        # If this one dies too, the client notices: its wire closes without an answer.
        fresh = self._fork(None if folder is None else self._folders[folder])
        _hand_over(fresh, ends)
        return fresh.pid

    def _fork(self, folder: _Folder | None, *, ahead: bool = False) -> _Spare:
        ours, theirs = socket.socketpair()
        self._boxes_made += 1
        uid = folder.uid if folder else self._next_uid()
        if self._own_pids is not None:
            lock.unshare(lock.NEWPID)
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            box.close_all_but(theirs.fileno())
            path = folder.path if folder else None
            box.run(theirs, self._walls, uid, path, self._mapped, ahead=ahead)
        if self._own_pids is not None:
            lock.setns(self._own_pids, lock.NEWPID)
        theirs.close()
        return _Spare(pid, ours)

    def _next_uid(self) -> int | None:
        return lock.FIRST_BOX_UID + self._boxes_made % lock.BOX_UIDS if self._mode == "root" else None

    def _look(self) -> None:
        """Kill the boxes whose processes use too much memory together, or hide it."""
        began = time.monotonic()
        if not self._crowds or began < self._next_look:
            return
        for pid, pids in together.members(self._crowds).items():
            if self._uses_too_much(pid, pids):
                self._too_large.add(pid)
                self._end(pid)
        now = time.monotonic()
        self._next_look = now + max(_LOOK_S, 2 * (now - began))  # looking must not take all our time

    def _uses_too_much(self, pid: int, pids: list[int]) -> bool:
        began = time.thread_time()
        enough_kib = self._crowds[pid]
        used_kib = together.used_kib(pids, enough_kib=enough_kib, shared_kib=self._own_memory_kib)
        if used_kib > enough_kib or together.sockets(pid) > MAX_SOCKETS or self._hides_memory(pid, pids):
            return True
        return time.thread_time() - began > _MAX_LOOK_S

    def _hides_memory(self, pid: int, pids: list[int]) -> bool:
        """Whether `pids` pass it on: each ends as soon as it has begun the next, and is gone before it can be asked.

        The next one's number tells. But where the first thread of a process has ended, its others can do the same.
        """
        now = time.monotonic()
        if any(map(together.headless, pids)):
            self._headless_since.setdefault(pid, now)
        else:
            self._headless_since.pop(pid, None)
        return now - self._headless_since.get(pid, now) > _HEADLESS_S or together.born(pids) > MAX_BORN

    def _reap(self) -> None:
        """Report the end of boxes: exit status, processor time, peak memory beyond what they share with us."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self._spares = [spare for spare in self._spares if spare.pid != pid]
            self._crowds.pop(pid, None)
            self._dying.discard(pid)
            self._headless_since.pop(pid, None)
            too_large = pid in self._too_large
            self._too_large.discard(pid)
            lifeline = self._lifelines.pop(pid, None)
            if lifeline is None:
                continue
            with contextlib.suppress(KeyError):  # it was killed
                self._selector.unregister(lifeline)
            end = {
                "status": os.waitstatus_to_exitcode(status),
                "cpu_s": usage.ru_utime + usage.ru_stime,
                "walled": self._walls is not None,
                "too_large_together": too_large,
                "peak_memory_kib": max(0, _peak_kib(usage) - self._own_memory_kib),
            }
            with contextlib.suppress(OSError):  # nobody listens any more
                lifeline.sendall(json.dumps(end).encode())
            lifeline.close()

    def _kill(self, pid: int) -> None:
        """Nobody asks for it any more. Its lifeline closes when the box is reaped: all its processes are gone then."""
        if pid not in self._lifelines:  # it ended by itself at the same moment, and has just been reaped
            return
        self._selector.unregister(self._lifelines[pid])
        self._end(pid)

    def _end(self, pid: int) -> None:
        """Kill a box that is not reaped yet, so that its number is nobody else's."""
        if self._crowds.pop(pid, None) is not None:
            self._dying.add(pid)
        os.kill(pid, signal.SIGKILL)

    def _make_folder(self, name: str, lifeline: socket.socket) -> None:
        if self._mode == "plain":
            path = tempfile.mkdtemp(dir=os.getcwd())
        else:
            path = f"{lock.FOLDERS}/{name}"
            os.mkdir(path)
            lock.mount_tmpfs(path)
        self._folders[name] = _Folder(path, self._next_uid())
        self._selector.register(lifeline, selectors.EVENT_READ, name)

    def _drop_folder(self, key: selectors.SelectorKey) -> None:
        self._selector.unregister(key.fileobj)
        assert isinstance(key.fileobj, socket.socket)
        key.fileobj.close()
        folder = self._folders.pop(key.data)
        if self._mode != "plain":
            lock.unmount(folder.path)
        shutil.rmtree(folder.path)


def _peak_kib(usage: resource.struct_rusage) -> int:
    return usage.ru_maxrss // 1024 if sys.platform == "darwin" else usage.ru_maxrss  # there in bytes


def _hand_over(spare: _Spare, ends: list[int]) -> bool:
    """Whether the box has taken its ends: somebody may have killed it while it waited."""
    with spare.handoff, contextlib.suppress(OSError):
        socket.send_fds(spare.handoff, [b"x"], ends)
        return spare.handoff.recv(1) != b""
    return False


def _walls(mode: str) -> box.Walls:
    # All boxes of an ordinary user have that user's id, and so have we and bubblewrap.
    tasks_beside = 0 if mode == "root" else SPARE_BOXES + 4
    return box.Walls(lock.Filter(processes=False), lock.Filter(processes=True), tasks_beside)


def main() -> None:
    control_fd, mode = sys.argv[1:]
    WarmParent(socket.socket(fileno=int(control_fd)), mode).serve()


if __name__ == "__main__":
    main()
