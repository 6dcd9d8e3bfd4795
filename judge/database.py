"""The database that site and workers share: SQLite, or PostgreSQL.

SQLite runs in WAL mode, so that readers do not wait for writers, with synchronous=FULL: with NORMAL a power
cut may take the last commits, and learners were told that their work is kept. It costs one fsync a commit. Workers,
which commit at every check, go without: what a power cut takes from them is judged again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlmodel import Session

DEFAULT_URL = "sqlite:///var/five_lines.sqlite"
PATIENCE_S = 30.0

# What a database that is away, locked or full answers with, while the submission is as good as any.
AWAY = (OperationalError, NoConnection)


def database_url() -> str:
    """The database this process works with: FIVE_LINES_DATABASE, else a file under `var/`."""
    return os.environ.get("FIVE_LINES_DATABASE") or DEFAULT_URL


def connect(url: str | None = None, *, patience_s: float = PATIENCE_S, durable: bool = True) -> Engine:
    """An engine for the database. Threads may share it; processes may not.

    Errors do not carry what learners wrote: they end in logs. Who waits longer than `patience_s` for a lock that
    another process holds gets one of the `AWAY` errors. What is committed survives the end of this process in any way,
    and a power cut if it is to be `durable`.
    """
    parsed = make_url(url or database_url())
    patience_ms = round(patience_s * 1000)
    # `max_overflow=-1` is a connection for each thread: who only reads does not wait for those who wait for a lock.
    if parsed.get_backend_name() == "postgresql":
        postgresql = parsed.set(drivername="postgresql+psycopg")
        engine = create_engine(postgresql, max_overflow=-1, pool_pre_ping=True, hide_parameters=True)
        event.listen(engine, "connect", lambda connection, _: _prepare_postgresql(connection, patience_ms))
        return engine
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise ValueError("FIVE_LINES_DATABASE must be sqlite:///PATH or postgresql://USER@HOST/NAME")
    file = Path(parsed.database)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # what learners wrote is theirs
    if not file.exists():
        file.touch(mode=0o600)  # what SQLite writes beside it gets the same mode
    engine = create_engine(parsed, max_overflow=-1, hide_parameters=True)
    event.listen(engine, "connect", lambda connection, _: _prepare_sqlite(connection, patience_ms, durable))
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_postgresql(connection: DBAPIConnection, patience_ms: int) -> None:
    connection.autocommit = True  # a setting made in a transaction ends with it
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {patience_ms}")
    cursor.close()
    connection.autocommit = False


def _prepare_sqlite(connection: DBAPIConnection, patience_ms: int, durable: bool) -> None:
    # The driver begins transactions by its own rules, never before a SELECT; `_begin_sqlite` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {patience_ms}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and then writes fails at once if another wrote in between, without
    # waiting for busy_timeout. One that means to write takes the lock at its beginning.
    reads = connection.get_execution_options().get("reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    with Session(engine.execution_options(reads=True), expire_on_commit=False) as session:
        yield session
