"""The system calls with which a box locks itself in. Linux only; `parent.py` and `box.py` call it when walled."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import socket
import tempfile
import termios
from pathlib import Path
from typing import NamedTuple

NEWNS, NEWUTS, NEWIPC, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x20000000, 0x40000000
_MS_RDONLY, _MS_REMOUNT = 1, 32
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 8, 1 << 12, 1 << 14, 1 << 18
_MNT_DETACH = 2
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, _PR_SET_NO_NEW_PRIVS, _PR_SET_DUMPABLE = 22, 2, 38, 4
_CAPABILITY_VERSION_3 = 0x20080522

DEVICES = ("null", "full", "random", "urandom")  # of the machine's; a shared map of `zero` is memory nobody counts
WORK = "/box"  # the box's only writable folder
FOLDERS = "/folders"  # holds folders that boxes share; only the warm parent sees it
FIRST_BOX_UID = 61_000
BOX_UIDS = 4_000

# What torch and Python need once they are imported. Everything else answers EPERM.
_CALLS = """
    read write readv writev pread64 pwrite64 lseek close close_range fstat newfstatat statx stat lstat statfs
    fstatfs access faccessat faccessat2 open openat creat mkdir mkdirat rmdir unlink unlinkat rename renameat
    renameat2 ftruncate truncate fallocate link linkat symlink symlinkat readlink readlinkat
    chmod fchmod fchmodat chown fchown utimensat getxattr lgetxattr fgetxattr listxattr llistxattr
    flistxattr getcwd chdir fchdir getdents64 dup dup2 dup3 pipe pipe2 umask
    copy_file_range munmap mprotect mremap madvise brk rt_sigaction
    rt_sigprocmask rt_sigreturn rt_sigtimedwait sigaltstack setitimer getitimer alarm pause kill tgkill exit
    exit_group restart_syscall getpid gettid getppid getpgrp getpgid getuid geteuid getgid getegid getgroups
    getresuid getresgid clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrandom
    sched_yield sched_getaffinity sched_getparam sched_getscheduler set_robust_list rseq set_tid_address
    arch_prctl poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2 eventfd2 getrlimit getrusage uname sysinfo getcpu membarrier
""".split()
# For exercises that ask for processes (DataLoader workers): fork, threads, sockets inside the box, and descriptors that
# processes send each other. They are counted by user, against whoever sends some, so no other box may send any.
_PROCESS_CALLS = """
    fork wait4 waitid bind listen connect accept accept4 getsockname getpeername
    getpriority futex sendto recvfrom sendmsg recvmsg shutdown
""".split()
# Said to be done: on the machine's files it would reach its disk and its cache, and a box's own files need none of it.
_NOT_DONE = ("fsync", "fdatasync", "msync", "fadvise64")
# Locks, leases, notices and signals would reach whoever else has the file, the machine's own programs among them.
_FCNTLS = (fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL)
_FUTEX_PRIVATE = 128  # among the threads of a process; others reach whoever maps the same file
_MAP_TYPE = 3  # shared or private
_CLONE_VM, _CLONE_THREAD = 0x100, 0x10000
_SOCKET_TYPE = 0xF  # the others are flags
_PRCTLS = (15, 16)  # the name of a thread, to set and to get

_NEW_NAMESPACES = NEWNS | NEWUTS | NEWIPC | NEWPID | NEWNET | 0x10000000 | 0x2000000  # and user, cgroup
_TASKS_OF_A_BOX = 16  # itself, and the threads with which its processes speak to each other

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def unshare(flags: int) -> None:
    _check(_libc.unshare(flags), "unshare")


def setns(fd: int, kind: int) -> None:
    _check(_libc.setns(fd, kind), "setns")


def mount_tmpfs(target: str) -> None:
    """An empty folder that anybody may write to, bounded in size and number of files."""
    flags = ctypes.c_ulong(_MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    options = b"size=32m,nr_inodes=1k,mode=777"
    _check(_libc.mount(b"tmpfs", target.encode(), b"tmpfs", flags, options), f"mount {target}")


def read_only(target: str) -> None:
    """Nobody changes owner, rights or times of what is mounted there; a device works on."""
    flags = ctypes.c_ulong(_MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NOEXEC)
    _check(_libc.mount(None, target.encode(), None, flags, None), f"make {target} read-only")


def unmount(target: str) -> None:
    """Take a mount away from this view at once; it ends when its last user does."""
    _check(_libc.umount2(target.encode(), _MNT_DETACH), f"unmount {target}")


def die_first() -> None:
    """Should the machine run out of memory, the kernel ends this process and its children before any other."""
    with contextlib.suppress(OSError):  # some containers do not let it be said
        Path("/proc/self/oom_score_adj").write_text("1000")


def own_view(folder: str | None) -> None:
    """Give this process its own mounts: a work folder (`folder`, else a new one), an empty /dev/shm, no /proc."""
    _check(_libc.mount(None, b"/", None, ctypes.c_ulong(_MS_REC | _MS_PRIVATE), None), "make / private")
    if folder is None:
        mount_tmpfs(WORK)
    else:
        _check(_libc.mount(folder.encode(), WORK.encode(), None, ctypes.c_ulong(_MS_BIND), None), "bind folder")
    mount_tmpfs("/dev/shm")  # noqa: S108 - inside the box's own view
    unmount("/proc")
    unmount(FOLDERS)
    os.chdir(WORK)


def drop_privileges(uid: int | None) -> None:
    """Become `uid` for real where given (root's boxes), then hold no capability and gain none."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _check(_libc.capset(ctypes.byref(header), ctypes.byref(nothing)), "capset")
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no-new-privileges")
    _check(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "not dumpable")


class Mapped(NamedTuple):
    """The memory that a process maps, in bytes: all of it, and what is its own to write to."""

    all: int
    own: int


def mapped() -> Mapped:
    """What this process maps now; needs /proc."""
    pages = Path("/proc/self/statm").read_text().split()
    return Mapped(int(pages[0]) * resource.getpagesize(), int(pages[5]) * resource.getpagesize())


def set_limits(
    *, cpu_s: float, memory_bytes: int, before: Mapped | None, file_bytes: int, processes: int | None
) -> None:
    """Take the exercise's limits as rlimits. Memory counts beside what was mapped `before`, processes beside one."""
    # At this limit the kernel would kill as somebody outside might. So it only sends a signal, with which we end; who
    # does not listen to that runs into the limit of wall time.
    _libc.signal(signal.SIGXCPU, ctypes.cast(_libc._exit, ctypes.c_void_p))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (max(1, round(cpu_s + 0.5)), hard))
    limits = [
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 128),
        (resource.RLIMIT_MEMLOCK, 0),
    ]
    if before is not None:
        limits.append((resource.RLIMIT_AS, before.all + memory_bytes))
        # Without it, memory of one's own in the place of libraries would be had beside the limit.
        limits.append((resource.RLIMIT_DATA, before.own + memory_bytes))
    if processes is not None:
        limits.append((resource.RLIMIT_NPROC, processes + _TASKS_OF_A_BOX))
    for kind, value in limits:
        _, hard = resource.getrlimit(kind)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


class Filter:
    """A seccomp program, compiled once in the warm parent and taken on by each box."""

    def __init__(self, *, processes: bool) -> None:
        import pyseccomp

        # These names are Linux's alone; elsewhere no filter is made, but this module is read.
        # What Python asks of a descriptor: whether it is a terminal and how wide, not to block, not to be inherited.
        ioctls = (termios.TCGETS, termios.TIOCGWINSZ, termios.FIONBIO, termios.FIOCLEX, termios.FIONCLEX)
        # What Python asks of a socket.
        socket_options = (socket.SO_TYPE, socket.SO_ERROR, socket.SO_DOMAIN, socket.SO_PROTOCOL)
        program = pyseccomp.SyscallFilter(defaction=pyseccomp.ERRNO(errno.EPERM))
        # The same answer to calls of another architecture: an end by the filter would be a line in the system's log.
        program.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.ERRNO(errno.EPERM))
        for name in _CALLS + (_PROCESS_CALLS if processes else []):
            if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) >= 0:  # some exist on one architecture only
                program.add_rule(pyseccomp.ALLOW, name)
        for name in _NOT_DONE:
            program.add_rule(pyseccomp.ERRNO(0), name)
        # Limits may be read, not set: whoever lowers them could make their end look like another one.
        program.add_rule(pyseccomp.ALLOW, "prlimit64", pyseccomp.Arg(2, pyseccomp.EQ, 0))
        # Except the size of files: with it a probe ends a save in the middle, as a power cut would.
        file_size = pyseccomp.Arg(1, pyseccomp.EQ, resource.RLIMIT_FSIZE)
        program.add_rule(pyseccomp.ALLOW, "prlimit64", file_size)
        # Not shared and of no file: that lives on, counted by nothing, when all but a page of its map is given back.
        of_a_file = pyseccomp.Arg(3, pyseccomp.MASKED_EQ, mmap.MAP_ANONYMOUS, 0)
        private = pyseccomp.Arg(3, pyseccomp.MASKED_EQ, _MAP_TYPE, mmap.MAP_PRIVATE)
        for kind_of_map in (of_a_file, private):
            program.add_rule(pyseccomp.ALLOW, "mmap", kind_of_map)
        for name, requests in (("ioctl", ioctls), ("fcntl", _FCNTLS)):
            for request in requests:
                program.add_rule(pyseccomp.ALLOW, name, pyseccomp.Arg(1, pyseccomp.EQ, request))
        if not processes:
            of_a_process = pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _FUTEX_PRIVATE, _FUTEX_PRIVATE)
            program.add_rule(pyseccomp.ALLOW, "futex", of_a_process)
        else:
            # A filter of a socket's own is kernel memory that nothing bounds.
            of_socket = pyseccomp.Arg(1, pyseccomp.EQ, socket.SOL_SOCKET)
            reuse = pyseccomp.Arg(2, pyseccomp.EQ, socket.SO_REUSEADDR)
            program.add_rule(pyseccomp.ALLOW, "setsockopt", of_socket, reuse)
            for asked in socket_options:
                option_asked = pyseccomp.Arg(2, pyseccomp.EQ, asked)
                program.add_rule(pyseccomp.ALLOW, "getsockopt", of_socket, option_asked)
            for option in _PRCTLS:
                program.add_rule(pyseccomp.ALLOW, "prctl", pyseccomp.Arg(0, pyseccomp.EQ, option))
            # No process with namespaces of its own, where it would hold capabilities. And threads alone share memory:
            # processes could hand theirs on so quickly that whoever counts it always looks at one that has just ended.
            for shared in (0, _CLONE_VM | _CLONE_THREAD):
                mask = _NEW_NAMESPACES | _CLONE_VM | _CLONE_THREAD
                program.add_rule(pyseccomp.ALLOW, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, mask, shared))
            # Streams alone: datagrams stay with their receiver when their sender, whose memory they are, is gone.
            local = pyseccomp.Arg(0, pyseccomp.EQ, socket.AF_UNIX)
            streams = pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _SOCKET_TYPE, socket.SOCK_STREAM)
            for name in ("socket", "socketpair"):
                program.add_rule(pyseccomp.ALLOW, name, local, streams)
        # glibc falls back to clone when told that clone3 does not exist; a filter cannot look into clone3's arguments.
        program.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
        with tempfile.TemporaryFile() as file:
            program.export_bpf(file)
            file.seek(0)
            self._instructions = ctypes.create_string_buffer(file.read())

    def take(self) -> None:
        """Apply the filter to this process, for good."""

        class Program(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]

        size = len(self._instructions) - 1  # create_string_buffer adds a zero byte
        program = Program(size // 8, ctypes.cast(self._instructions, ctypes.c_void_p))
        _check(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")
