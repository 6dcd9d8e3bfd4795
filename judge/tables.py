"""The tables of the store (`judge.store`). Migrations make them; a test holds the two against each other."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Text,
    TypeDecorator,
    text,
)
from sqlmodel import Field, SQLModel

# Drawn, not counted, see `judge.store.draw_learner`: 63 bits, which every INTEGER of SQLite holds.
LEARNER_ID = BigInteger().with_variant(Integer(), "sqlite")

# In words and not as a comparison with a parameter: an index of some rows serves only queries that name them so.
PASSED_VERDICTS = text("status = 'passed'")


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


def now() -> datetime:
    return datetime.now(UTC)


class Learner(SQLModel, table=True):
    """Somebody who has sent something: without a name or an account. The site's signed cookie holds the id."""

    __tablename__ = "learner"

    id: int = Field(sa_column=Column(LEARNER_ID, primary_key=True, autoincrement=False))
    created_at: datetime = Field(default_factory=now, sa_type=Utc)


class Submission(SQLModel, table=True):
    """What a learner sent, byte for byte: it need not be UTF-8, and PostgreSQL's text holds no NUL.

    `attempt` counts from 1; judging again (a corrected suite) makes the next one. `tries` counts how often
    judging of this attempt was begun: one that takes the worker down each time must not go on for ever.
    """

    __tablename__ = "submission"
    __table_args__ = (
        Index("ix_submission_state", "state"),
        Index("ix_submission_learner", "learner_id", "id"),
        Index("ix_submission_exercise", "learner_id", "exercise", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(sa_column=Column(LEARNER_ID, ForeignKey("learner.id"), nullable=False))
    exercise: str
    source: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created_at: datetime = Field(default_factory=now, sa_type=Utc)
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
    __table_args__ = (
        Index("ix_verdict_passed", "submission_id", sqlite_where=PASSED_VERDICTS, postgresql_where=PASSED_VERDICTS),
    )

    submission_id: int = Field(primary_key=True, foreign_key="submission.id")
    attempt: int = Field(primary_key=True)
    status: str
    body: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime = Field(default_factory=now, sa_type=Utc)


class Run(SQLModel, table=True):
    """Code of a page that a reader has run. `program` is `judge.run.Program` as JSON. It is soon forgotten."""

    __tablename__ = "run"
    __table_args__ = (
        Index("ix_run_state", "state"),
        Index("ix_run_learner", "learner_id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(sa_column=Column(LEARNER_ID, ForeignKey("learner.id"), nullable=False))
    program: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime = Field(default_factory=now, sa_type=Utc)
    after: int  # the newest submission when it came, behind which it waits: clocks jump
    tries: int = 0
    state: str = State.QUEUED


class RunEventRow(SQLModel, table=True):
    """One event of a run. `body` is `judge.run.RunEvent` as JSON."""

    __tablename__ = "run_event"

    run_id: int = Field(primary_key=True, foreign_key="run.id")
    seq: int = Field(primary_key=True)
    body: str = Field(sa_column=Column(Text, nullable=False))
