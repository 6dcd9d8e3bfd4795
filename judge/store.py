"""The durable store: learners, their submissions, the events of judging, the verdicts.

Theory of operation. The store is the truth about every submission; the queue (`judge.queue`) only says who
judges what next, and can be rebuilt from here. The site writes submissions, a worker writes events and
verdicts, and they share nothing but this database. Three rules keep it honest:

- Limits are checked in the transaction that inserts, and such transactions run one after the other: SQLite's
  write lock (`BEGIN IMMEDIATE`), PostgreSQL's advisory lock. Parallel posts cannot pass a limit together.
- A worker's write carries the attempt it judged. One that comes late, after the submission was judged by
  another or is to be judged anew, changes nothing.
- The verdict and the state `done` are written in one transaction: there is never one without the other.

SQLite runs in WAL mode, so that readers do not wait for writers, with synchronous=FULL: with NORMAL a power
cut may take the last commits, and learners were told that their work is kept. It costs one fsync a commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Index,
    LargeBinary,
    Text,
    TypeDecorator,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Field, Session, SQLModel, col, delete, func, or_, select

from judge.verdict import CheckEnded, Event, FigureDrawn, Finished, Message, Started, Status, Verdict

DEFAULT_URL = "sqlite:///var/five_lines.sqlite"
MAX_SOURCE_KIB = 64
MAX_PENDING_PER_LEARNER = 3
MAX_QUEUE = 500
BUSY_TIMEOUT_MS = 30_000
KEEP_EVENTS = timedelta(hours=1)

# The `finished` event is made from the verdict, not stored again; it comes after every stored one.
FINISHED_SEQ = 2**31 - 1

_SUBMIT_LOCK = 0x5_11E5  # any number no other advisory lock of this database has
_events: TypeAdapter[Event] = TypeAdapter(Event)


class State(StrEnum):
    """Where a submission is on its way, in no natural language."""

    QUEUED = "queued"
    JUDGING = "judging"
    DONE = "done"


class Utc(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone, so it is given back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _now() -> datetime:
    return datetime.now(UTC)


class Learner(SQLModel, table=True):
    """Somebody who visits: without a name or an account. The site's signed cookie holds the id."""

    __tablename__ = "learner"
    __table_args__ = ({"sqlite_autoincrement": True},)  # an id is never used twice: a cookie may outlive its row

    id: int | None = Field(default=None, primary_key=True)
    created_at: datetime = Field(default_factory=_now, sa_type=Utc)


class Submission(SQLModel, table=True):
    """What a learner sent, byte for byte: it need not be UTF-8, and PostgreSQL's text holds no NUL.

    `attempt` counts from 1; judging again (a corrected suite) makes the next one. `tries` counts how often
    judging of this attempt was begun: one that takes the worker down each time must not go on for ever.
    """

    __tablename__ = "submission"
    __table_args__ = (
        Index("ix_submission_state", "state"),
        Index("ix_submission_learner", "learner_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id")
    exercise: str
    source: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created_at: datetime = Field(default_factory=_now, sa_type=Utc)
    attempt: int = 1
    tries: int = 0
    state: str = State.QUEUED

    @property
    def source_text(self) -> str:
        """The source, to be shown."""
        return self.source.decode(errors="replace")


class EventRow(SQLModel, table=True):
    """One event of judging, for the browser. `body` is its JSON.

    Text and not the databases' JSON types: it is written and read whole, by one schema.
    """

    __tablename__ = "event"

    submission_id: int = Field(primary_key=True, foreign_key="submission.id")
    attempt: int = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    body: str = Field(sa_column=Column(Text, nullable=False))


class VerdictRow(SQLModel, table=True):
    """The one verdict of one attempt. `body` is `judge.verdict.Verdict` as JSON."""

    __tablename__ = "verdict"

    submission_id: int = Field(primary_key=True, foreign_key="submission.id")
    attempt: int = Field(primary_key=True)
    status: str
    body: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime = Field(default_factory=_now, sa_type=Utc)


class Refused(Exception):
    """A submission that is not taken in, with the sentence that says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class TooLarge(Refused):
    """The source is longer than any solution needs to be."""

    def __init__(self) -> None:
        template = "Your solution is larger than {limit_kib} KiB. Send only the code of the exercise."
        super().__init__(Message(template=template, values={"limit_kib": MAX_SOURCE_KIB}))


class TooManyPending(Refused):
    """The learner has enough submissions waiting."""

    def __init__(self) -> None:
        template = "You have {limit} submissions waiting. Wait for one to be judged, then submit again."
        super().__init__(Message(template=template, values={"limit": MAX_PENDING_PER_LEARNER}))


class QueueFull(Refused):
    """More is waiting than can be judged in decent time."""

    def __init__(self) -> None:
        template = "Very many submissions are waiting at the moment. Keep your code and try again in a minute."
        super().__init__(Message(template=template))


class UnknownLearner(Refused):
    """The cookie names nobody in this database, for instance after it was replaced."""

    def __init__(self) -> None:
        template = "This visit is no longer known here. Reload the page and submit again."
        super().__init__(Message(template=template))


class Listed(NamedTuple):
    """A submission in a list. `status` is that of its newest verdict."""

    id: int
    exercise: str
    created_at: datetime
    attempt: int
    state: State
    status: Status | None


class Unfinished(NamedTuple):
    """An attempt without a verdict."""

    submission_id: int
    attempt: int
    exercise: str


# --- Connecting


def database_url() -> str:
    """The database this process works with: FIVE_LINES_DATABASE, else a file under `var/`."""
    return os.environ.get("FIVE_LINES_DATABASE") or DEFAULT_URL


def connect(url: str | None = None) -> Engine:
    """An engine for the database. Threads may share it; processes may not."""
    parsed = make_url(url or database_url())
    if parsed.get_backend_name() == "postgresql":
        return create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise ValueError("FIVE_LINES_DATABASE must be sqlite:///PATH or postgresql://USER@HOST/NAME")
    Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # The driver begins transactions by its own rules, never before a SELECT; `_begin_sqlite` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and then writes fails at once if another wrote in between, without
    # waiting for busy_timeout. One that means to write takes the lock at its beginning.
    reads = connection.get_execution_options().get("reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def _writing(engine: Engine) -> Iterator[Session]:
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def _reading(engine: Engine) -> Iterator[Session]:
    with Session(engine.execution_options(reads=True), expire_on_commit=False) as session:
        yield session


# --- What the site does


def add_learner(engine: Engine) -> int:
    """A new anonymous learner's id."""
    learner = Learner()
    with _writing(engine) as session:
        session.add(learner)
    assert learner.id is not None
    return learner.id


def has_learner(engine: Engine, learner_id: int) -> bool:
    """Whether a cookie's learner is known here."""
    with _reading(engine) as session:
        return session.get(Learner, learner_id) is not None


def submit(engine: Engine, learner_id: int, exercise: str, source: str | bytes) -> int:
    """Store a submission for judging and return its id; Refused says why not.

    The caller then enqueues it. If it dies before, a worker's sweep does so.
    """
    raw = source if isinstance(source, bytes) else source.encode(errors="surrogatepass")
    if len(raw) > MAX_SOURCE_KIB * 1024:
        raise TooLarge
    submission = Submission(learner_id=learner_id, exercise=exercise, source=raw)
    # Judging again, which an instructor asks for, takes nothing from what learners may send.
    pending = select(func.count()).where(col(Submission.state) != State.DONE, col(Submission.attempt) == 1)
    with _writing(engine) as session:
        if session.get_bind().dialect.name == "postgresql":
            session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SUBMIT_LOCK})
        if session.get(Learner, learner_id) is None:
            raise UnknownLearner
        own = pending.where(col(Submission.learner_id) == learner_id)
        if session.exec(own).one() >= MAX_PENDING_PER_LEARNER:
            raise TooManyPending
        if session.exec(pending).one() >= MAX_QUEUE:
            raise QueueFull
        session.add(submission)
    assert submission.id is not None
    return submission.id


def get_submission(engine: Engine, submission_id: int) -> Submission | None:
    """The submission, with its source. Whether the asker may see it (`learner_id`) the caller decides."""
    with _reading(engine) as session:
        return session.get(Submission, submission_id)


def submissions_of(engine: Engine, learner_id: int, *, exercise: str | None = None, limit: int = 100) -> list[Listed]:
    """A learner's submissions, the newest first."""
    newest = (
        select(VerdictRow.submission_id, func.max(VerdictRow.attempt).label("attempt"))
        .group_by(col(VerdictRow.submission_id))
        .subquery()
    )
    query = (
        sa.select(
            col(Submission.id),
            col(Submission.exercise),
            col(Submission.created_at),
            col(Submission.attempt),
            col(Submission.state),
            col(VerdictRow.status),
        )
        .outerjoin(newest, newest.c.submission_id == col(Submission.id))
        .outerjoin(
            VerdictRow,
            (col(VerdictRow.submission_id) == newest.c.submission_id) & (col(VerdictRow.attempt) == newest.c.attempt),
        )
        .where(col(Submission.learner_id) == learner_id)
        .order_by(col(Submission.id).desc())
        .limit(limit)
    )
    if exercise is not None:
        query = query.where(col(Submission.exercise) == exercise)
    with _reading(engine) as session:
        return [
            Listed(
                submission_id or 0,
                name,
                created_at,
                attempt,
                State(state),
                Status(status) if status else None,
            )
            for submission_id, name, created_at, attempt, state, status in session.execute(query)
        ]


def passed_exercises(engine: Engine, learner_id: int) -> set[str]:
    """The exercises a learner has solved: some submission's verdict, current or earlier, is `passed`."""
    query = (
        select(Submission.exercise)
        .join(VerdictRow, col(VerdictRow.submission_id) == col(Submission.id))
        .where(Submission.learner_id == learner_id, VerdictRow.status == Status.PASSED)
    )
    with _reading(engine) as session:
        return set(session.exec(query))


def position(engine: Engine, submission_id: int) -> int | None:
    """The place in the queue: 1 is judged next, 0 is being judged, None is done or unknown."""
    with _reading(engine) as session:
        submission = session.get(Submission, submission_id)
        if submission is None or submission.state == State.DONE:
            return None
        if submission.state == State.JUDGING:
            return 0
        waiting = select(func.count()).where(col(Submission.state) == State.QUEUED)
        first_judging = col(Submission.attempt) == 1
        earlier = col(Submission.id) < submission_id
        if submission.attempt == 1:
            ahead = waiting.where(first_judging, earlier)
        else:
            ahead = waiting.where(or_(first_judging, earlier))
        return session.exec(ahead).one() + 1


def events_after(engine: Engine, submission_id: int, attempt: int, seq: int = 0) -> list[tuple[int, Event]]:
    """The events of an attempt after number `seq`, in order, each with its number.

    A `started` begins anew: an attempt cut short by a worker's death is judged again and starts again. The
    last is `finished`, with the number FINISHED_SEQ.
    """
    if seq >= FINISHED_SEQ:
        return []
    rows = (
        select(EventRow)
        .where(EventRow.submission_id == submission_id, EventRow.attempt == attempt, col(EventRow.seq) > seq)
        .order_by(col(EventRow.seq))
    )
    with _reading(engine) as session:
        # The verdict first: what is stored before it is then seen too, whatever a worker writes meanwhile.
        verdict = session.get(VerdictRow, (submission_id, attempt))
        found = [(row.seq, _events.validate_json(row.body)) for row in session.exec(rows)]
    if verdict is not None:
        found.append((FINISHED_SEQ, Finished(verdict=Verdict.model_validate_json(verdict.body))))
    return found


def verdict_of(engine: Engine, submission_id: int, attempt: int | None = None) -> Verdict | None:
    """The verdict of an attempt; without one named, the newest there is."""
    query = select(VerdictRow).where(VerdictRow.submission_id == submission_id)
    if attempt is not None:
        query = query.where(VerdictRow.attempt == attempt)
    with _reading(engine) as session:
        row = session.exec(query.order_by(col(VerdictRow.attempt).desc()).limit(1)).first()
    return Verdict.model_validate_json(row.body) if row is not None else None


def rejudge(engine: Engine, submission_id: int) -> int | None:
    """Begin the next attempt of a submission; return its number for the caller to enqueue, None if unknown.

    The verdict of the attempt before stays. A worker still busy with that attempt comes late.
    """
    with _writing(engine) as session:
        submission = session.get(Submission, submission_id, with_for_update=True)
        if submission is None:
            return None
        submission.attempt += 1
        submission.tries = 0
        submission.state = State.QUEUED
        return submission.attempt


# --- What a worker does


def begin(engine: Engine, submission_id: int, attempt: int) -> Submission | None:
    """Mark an attempt as being judged and return the submission; None if it is done or no longer current."""
    with _writing(engine) as session:
        submission = _unfinished(session, submission_id, attempt)
        if submission is not None:
            submission.state = State.JUDGING
            submission.tries += 1
        return submission


def add_event(engine: Engine, submission_id: int, attempt: int, new: Started | CheckEnded | FigureDrawn) -> bool:
    """Store an event for the browser; False if the attempt is done or no longer the current one."""
    last = select(func.max(EventRow.seq)).where(EventRow.submission_id == submission_id, EventRow.attempt == attempt)
    body = new.model_dump_json()
    with _writing(engine) as session:
        if _unfinished(session, submission_id, attempt) is None:
            return False
        seq = (session.exec(last).one() or 0) + 1
        session.add(EventRow(submission_id=submission_id, attempt=attempt, seq=seq, body=body))
    return True


def finish(engine: Engine, submission_id: int, attempt: int, verdict: Verdict) -> bool:
    """Write the verdict of an attempt; False if it has one or is no longer the current attempt."""
    row = VerdictRow(
        submission_id=submission_id,
        attempt=attempt,
        status=verdict.status,
        body=verdict.model_dump_json(),
    )
    with _writing(engine) as session:
        submission = _unfinished(session, submission_id, attempt)
        if submission is None:
            return False
        submission.state = State.DONE
        session.add(row)
    return True


def give_back(engine: Engine, submission_id: int, attempt: int) -> None:
    """Put an attempt that was begun, and is not finished for reasons of ours, among the waiting again."""
    with _writing(engine) as session:
        submission = _unfinished(session, submission_id, attempt)
        if submission is not None and submission.state == State.JUDGING:
            submission.state = State.QUEUED
            submission.tries -= 1


def unfinished(engine: Engine) -> list[Unfinished]:
    """Every attempt that must still get a verdict, the oldest first."""
    query = (
        select(Submission.id, Submission.attempt, Submission.exercise)
        .where(col(Submission.state) != State.DONE)
        .order_by(col(Submission.id))
    )
    with _reading(engine) as session:
        return [Unfinished(*row) for row in session.execute(query)]


def forget_events(engine: Engine) -> int:
    """Delete the events of what was judged long enough ago: the verdict says all of it. Returns how many."""
    judged = select(VerdictRow.submission_id).where(
        col(VerdictRow.created_at) < _now() - KEEP_EVENTS,
        VerdictRow.submission_id == EventRow.submission_id,
        VerdictRow.attempt == EventRow.attempt,
    )
    with _writing(engine) as session:
        return session.exec(delete(EventRow).where(judged.exists())).rowcount


def _unfinished(session: Session, submission_id: int, attempt: int) -> Submission | None:
    """The submission, its row locked, if this attempt is the current one and has no verdict yet."""
    query = (
        select(Submission)
        .where(
            Submission.id == submission_id,
            Submission.attempt == attempt,
            col(Submission.state) != State.DONE,
        )
        .with_for_update()
    )
    return session.exec(query).one_or_none()
