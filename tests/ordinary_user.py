"""A judge that an ordinary user has started, for tests that root runs; run as a program, the user's side of it.

Root's Python may lie where nobody else can read it. So root makes a mount namespace of its own in which Python, its
packages and the project lie readable under /mnt, becomes another user there for good, and starts this file.
Whoever is no root already just starts it. Both sides speak in lines of JSON.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Self

from judge.exercise import Exercise, read_exercise
from judge.grade import Judge
from judge.verdict import Verdict

PROJECT = Path(__file__).resolve().parent.parent
USER = 54_321  # in no password file
# A virtual environment that names the copy as its base has the paths and packages of ours.
_MAKE_VIEW = """
set -e
python=$1 packages=$2 project=$3 name=$4 user=$5; shift 5
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir -p /mnt/python /mnt/project /mnt/venv/bin /mnt/venv/lib/$name/site-packages
mount --bind $python /mnt/python
mount --bind $project /mnt/project
mount --bind $packages /mnt/venv/lib/$name/site-packages
echo "home = /mnt/python/bin" > /mnt/venv/pyvenv.cfg
ln -s /mnt/python/bin/$name /mnt/venv/bin/$name
echo "of the user who judges" > /mnt/secret
chmod 600 /mnt/secret
chown $user /mnt/secret
cd /mnt/project
exec setpriv --reuid $user --regid $user --clear-groups --inh-caps=-all /mnt/venv/bin/$name -m tests.ordinary_user
"""


class UserJudge:
    """Grades as `Judge` does, in a process of an ordinary user."""

    def __init__(self) -> None:
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/mnt", "PYTHONDONTWRITEBYTECODE": "1", "SECRET": "of the user"}
        self._process = subprocess.Popen(
            _command(), cwd=PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n", "no judge could be started as an ordinary user"

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        assert self._process.returncode == 0

    def verdict(self, exercise: Exercise, source: str | bytes, *, seed: int | None = None) -> Verdict:
        self.ask(exercise, source, seed=seed)
        return self.answer()

    def ask(self, exercise: Exercise, source: str | bytes, *, seed: int | None = None) -> None:
        """Have `source` judged meanwhile; `answer` waits for the verdict."""
        assert self._process.stdin is not None
        data = source.encode() if isinstance(source, str) else source
        folder = str(exercise.root.relative_to(PROJECT))
        request = {"exercise": folder, "source": base64.b64encode(data).decode(), "seed": seed}
        print(json.dumps(request), file=self._process.stdin, flush=True)

    def answer(self) -> Verdict:
        assert self._process.stdout is not None
        return Verdict.model_validate_json(self._process.stdout.readline())


def _command() -> list[str]:
    if os.geteuid() != 0:
        return [sys.executable, "-m", "tests.ordinary_user"]
    for program in ("unshare", "setpriv"):
        assert shutil.which(program), f"the tests need {program}: apt-get install util-linux"
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    paths = [sys.base_prefix, sysconfig.get_path("purelib"), str(PROJECT), name, str(USER)]
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", _MAKE_VIEW, "sh", *paths]


def main() -> None:
    with Judge() as judge:
        print("ready", flush=True)
        for line in sys.stdin:
            request = json.loads(line)
            exercise = read_exercise(PROJECT / request["exercise"])
            source = base64.b64decode(request["source"])
            print(judge.verdict(exercise, source, seed=request["seed"]).model_dump_json(), flush=True)


if __name__ == "__main__":
    main()
