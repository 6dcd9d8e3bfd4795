"""Which workers are alive.

Theory of operation. It is asked of the operating system and not of a clock: a worker holds a lock under its name for
as long as it lives, a locked file beside SQLite's, a session's advisory lock in PostgreSQL. Whoever gets the
lock knows that the worker is gone, and that it stays gone while the lock is held. A worker takes the lowest free
name, so that one restarted finds its own name, and under it what it had in hand.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import psycopg
from sqlalchemy import make_url

MAX_WORKERS = 64
_WORKER_LOCK = 0x5_11E6  # the advisory locks' first half; the second is the worker's number


class _Locks(Protocol):
    def take(self, number: int) -> bool: ...
    def release(self, number: int) -> None: ...
    def check(self) -> None: ...
    def close(self) -> None: ...


class _FileLocks:
    """Record locks on files beside the database: they end with the process, and no child inherits them."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._held: dict[int, int] = {}

    def take(self, number: int) -> bool:
        path = self._database.with_suffix(f".worker-{number}.lock")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._held[number] = descriptor
        return True

    def release(self, number: int) -> None:
        os.close(self._held.pop(number))

    def check(self) -> None:
        """Nothing can take a file's lock from a living process."""

    def close(self) -> None:
        for number in list(self._held):
            self.release(number)


class _AdvisoryLocks:
    """Advisory locks of one PostgreSQL session. It ends with the process; keepalives tell of a lost host."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(
            url,
            autocommit=True,
            options="-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
        )

    def _ask(self, query: str, number: int) -> bool:
        row = self._connection.execute(query, (_WORKER_LOCK, number)).fetchone()
        return row is not None and bool(row[0])

    def take(self, number: int) -> bool:
        return self._ask("SELECT pg_try_advisory_lock(%s, %s)", number)

    def release(self, number: int) -> None:
        self._ask("SELECT pg_advisory_unlock(%s, %s)", number)

    def check(self) -> None:
        self._connection.execute("SELECT 1")

    def close(self) -> None:
        self._connection.close()


class Workers:
    """Who is at work. One thread of a worker uses it."""

    def __init__(self, url: str) -> None:
        self.own_name: str | None = None
        parsed = make_url(url)
        self._locks: _Locks
        if parsed.get_backend_name() == "postgresql":
            self._locks = _AdvisoryLocks(parsed.set(drivername="postgresql").render_as_string(hide_password=False))
        else:
            self._locks = _FileLocks(Path(parsed.database or ""))

    def join(self) -> str:
        """Take the lowest free name, for as long as this process lives."""
        for number in range(1, MAX_WORKERS + 1):
            if self._locks.take(number):
                self.own_name = f"worker-{number}"
                return self.own_name
        raise RuntimeError(f"{MAX_WORKERS} workers are running on this database")

    @contextmanager
    def gone(self, name: str) -> Iterator[bool]:
        """Whether the worker of this name is dead; while the block runs it stays so."""
        number = int(name.removeprefix("worker-"))
        taken = self._locks.take(number)
        try:
            yield taken
        finally:
            if taken:
                self._locks.release(number)

    def check(self) -> None:
        """Raise if the name may have been lost: with a PostgreSQL that restarted, another may bear it now."""
        self._locks.check()

    def close(self) -> None:
        self._locks.close()
