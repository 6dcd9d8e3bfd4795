"""Starts the warm parent: behind bubblewrap, or without a wall for the command line where none can be had."""

from __future__ import annotations

import os
import select
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from judge.exercise import configured_roots
from judge.sandbox.lock import DEVICES
from judge.temporary import locked_folder, remove

JUDGE = Path(__file__).resolve().parent.parent
_READY_TIMEOUT_S = 120
# One thread in everything that forks: see warm.py.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# All that a walled box sees of an environment.
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/box",
    "TMPDIR": "/box",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    **ONE_THREAD,
}
_INSTALL = "On Debian or Ubuntu: apt-get install bubblewrap libseccomp2"


class NoWall(Exception):
    """No wall can be had on this machine; the text says why and what to do."""


class Killed(NoWall):
    """A warm process ended while it started, without a word: somebody killed it. The next one may live."""


@dataclass
class Sandbox:
    """A running warm parent. `control` is where boxes are asked for; closing it ends all.

    Without a wall, the boxes' work folders are in `folder`, which is locked as long as we live.
    """

    process: subprocess.Popen[bytes]
    control: socket.socket
    stderr: IO[bytes]
    folder: tuple[Path, int] | None = None

    def wait_until_ready(self) -> None:
        """Returns when a box can be had; raises NoWall with the reason if it cannot."""
        if self._answers() and self.control.recv(5) == b"ready":
            return
        self.stderr.seek(0)
        lines = self.stderr.read().decode(errors="replace").strip().splitlines()
        if not lines:
            raise Killed("the sandbox was killed while it started")
        raise NoWall(f"the sandbox did not start: {lines[-1]}. {_INSTALL}")

    def _answers(self) -> bool:
        """Wait for the first answer, or for the end of bubblewrap: killed early, it leaves its child waiting."""
        deadline = time.monotonic() + _READY_TIMEOUT_S
        while not select.select([self.control], [], [], 0.2)[0]:
            if not self.alive() or time.monotonic() > deadline:
                return False
        return True

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        self.control.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.stderr.close()
        if self.folder is not None:
            remove(*self.folder)


def launch(*, walled: bool) -> Sandbox:
    """Start a warm parent; raises NoWall when `walled` is asked for and bubblewrap is not here."""
    command = _python(walled)
    folder = None if walled else locked_folder("five-lines-boxes-")
    ours, theirs = socket.socketpair()
    stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the sandbox
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "-m", "judge.sandbox.parent", str(theirs.fileno()), _mode(walled)],
            env=_ENVIRONMENT if walled else os.environ | ONE_THREAD | {"PYTHONPATH": str(JUDGE.parent)},
            cwd=folder and folder[0],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,  # Ctrl+C is for us
        )
    return Sandbox(process, ours, stderr, folder)


def _mode(walled: bool) -> str:
    if not walled:
        return "plain"
    return "root" if os.geteuid() == 0 else "user"


def _python(walled: bool) -> list[str]:
    """The command that runs Python: our own, or behind bubblewrap with all paths neutral."""
    if not walled:
        return [sys.executable, "-P"]
    if sys.platform != "linux":
        raise NoWall("the sandbox needs Linux namespaces, and this system is not Linux")
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None:
        raise NoWall(f"bubblewrap (bwrap) is not installed. {_INSTALL}")
    command = [
        bubblewrap,
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--hostname",
        "box",
        "--unshare-cgroup-try",
    ]
    if os.geteuid() == 0:
        command += ["--cap-drop", "ALL"]
        for capability in ("SYS_ADMIN", "SETUID", "SETGID", "SETPCAP", "KILL", "SYS_PTRACE"):
            command += ["--cap-add", f"CAP_{capability}"]
    else:
        command += ["--unshare-user", "--cap-add", "ALL"]
    # Not --die-with-parent: it follows the thread that started us. The closing of the control socket ends all.
    return [*command, "--new-session", "--chdir", "/box", *_view(), *_neutral_python()]


def _view() -> list[str]:
    """The files the warm parent and its boxes see, as bubblewrap's arguments; no path of ours shows."""
    view = ["--ro-bind", "/usr", "/usr"]
    for folder in ("/etc", "/dev", "/packages", "/five-lines", "/five-lines/judge"):
        view += ["--perms", "0755", "--dir", folder]  # else only the owner could look into it
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        if Path(name).is_symlink():
            view += ["--symlink", str(Path(name).readlink()), name]
        elif Path(name).exists():
            view += ["--ro-bind", name, name]
    view += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    if not _system_python():
        view += ["--ro-bind", sys.base_prefix, "/python"]
    for number, packages in enumerate(_site_packages()):
        view += ["--ro-bind", str(packages), f"/packages/{number}"]
    view += _masks()
    for part in ("__init__.py", "program.py", "wire.py", "kit", "sandbox"):
        view += ["--ro-bind", str(JUDGE / part), f"/five-lines/judge/{part}"]
    for device in DEVICES:
        view += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for mount_point in ("/dev/shm", "/box", "/folders"):  # noqa: S108 - in the new view
        view += ["--perms", "0755", "--tmpfs", mount_point]
    search = ["/five-lines", *(f"/packages/{number}" for number in range(len(_site_packages())))]
    return [*view, "--proc", "/proc", "--remount-ro", "/", "--setenv", "PYTHONPATH", ":".join(search)]


def _masks() -> list[str]:
    """Hides what the folders above would show of us: project and exercises, where they lie in one; our installation."""
    view: list[str] = []
    shown = {Path(sys.base_prefix): "/python", Path("/usr"): "/usr"}
    shown |= {packages: f"/packages/{number}" for number, packages in enumerate(_site_packages())}
    ours = {JUDGE.parent, *(root.resolve() for root in configured_roots() if root.is_dir())}
    for folder, place in shown.items():
        for path in sorted(ours - {folder, *_site_packages()}):
            if path.is_relative_to(folder):
                view += _nothing_at(f"{place}/{path.relative_to(folder)}")
    for number, packages in enumerate(_site_packages()):
        for path in sorted([*packages.glob("*five_lines*"), *packages.glob("__pycache__/*five_lines*")]):
            place = f"/packages/{number}/{path.relative_to(packages)}"
            view += _nothing_at(place) if path.is_dir() else ["--ro-bind", "/dev/null", place]
    return view


def _nothing_at(place: str) -> list[str]:
    # It belongs to whoever started us: to an ordinary user's boxes too, one after the other.
    return ["--tmpfs", place, "--remount-ro", place]


def _neutral_python() -> list[str]:
    """The base interpreter where the view has it: a virtual environment is only its site-packages there."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if _system_python():
        return [f"{sys.base_prefix}/bin/{name}", "-s", "-P"]
    return ["/usr/bin/env", "LD_LIBRARY_PATH=/python/lib", f"/python/bin/{name}", "-s", "-P"]


def _system_python() -> bool:
    return Path(sys.base_prefix) == Path("/usr")


def _site_packages() -> list[Path]:
    """Where packages are installed, each folder once."""
    paths = sysconfig.get_paths()
    return list(dict.fromkeys(Path(paths[kind]).resolve() for kind in ("purelib", "platlib")))
