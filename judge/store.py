"""The durable store: learners, their submissions, the events of judging, the verdicts; and the runs (`judge.runs`).

Theory of operation. The store is the truth about every submission; the queue (`judge.queue`) only says who
judges what next, and can be rebuilt from here. The site writes submissions, a worker writes events and
verdicts, and they share nothing but this database. Three rules keep it honest:

- Limits are checked in the transaction that inserts, and such transactions run one after the other: SQLite's
  write lock (`BEGIN IMMEDIATE`), PostgreSQL's advisory lock. Parallel posts cannot pass a limit together.
- A worker's write carries the attempt it judged. One that comes late, after the submission was judged by
  another or is to be judged anew, changes nothing.
- The verdict and the state `done` are written in one transaction: there is never one without the other.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy import Engine, text
from sqlmodel import Session, col, delete, func, or_, select

from judge.database import reading, writing
from judge.tables import PASSED_VERDICTS, EventRow, Learner, Run, State, Submission, VerdictRow, now
from judge.verdict import CheckEnded, Event, FigureDrawn, Finished, Message, Started, Status, Verdict

MAX_SOURCE_KIB = 64
MAX_PENDING_PER_LEARNER = 3
MAX_QUEUE = 500
KEEP_EVENTS = timedelta(hours=1)

# The `finished` event is made from the verdict, not stored again; it comes after every stored one.
FINISHED_SEQ = 2**31 - 1

_SUBMIT_LOCK = 0x5_11E5  # any number no other advisory lock of this database has
_events: TypeAdapter[Event] = TypeAdapter(Event)
Stored = Started | CheckEnded | FigureDrawn


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


class ProgramTooLarge(Refused):
    """The code is longer than any block of a page needs to be."""

    def __init__(self) -> None:
        template = "The code is larger than {limit_kib} KiB, and so was not run."
        super().__init__(Message(template=template, values={"limit_kib": MAX_SOURCE_KIB}))


class TooManyRuns(Refused):
    """The reader has enough runs that have not ended."""

    def __init__(self) -> None:
        template = "{limit} runs of yours have not ended. Wait for one or stop it, then run this again."
        super().__init__(Message(template=template, values={"limit": MAX_PENDING_PER_LEARNER}))


class QueueFull(Refused):
    """More is waiting than can be judged in decent time."""

    def __init__(self) -> None:
        template = "Very many submissions are waiting at the moment. Keep your code and try again in a minute."
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


# Judging again, which an instructor asks for, takes nothing from what learners may send.
_PENDING = select(func.count()).where(col(Submission.state) != State.DONE, col(Submission.attempt) == 1)
PENDING_RUNS = select(func.count()).where(col(Run.state) != State.DONE)
_WAITING = select(func.count()).where(col(Submission.state) == State.QUEUED)
_WAITING_RUNS = select(func.count()).where(col(Run.state) == State.QUEUED)

# --- What the site does


def draw_learner() -> int:
    """The id of a new anonymous learner: of 63 bits, so that none is drawn twice. The store need not know it yet."""
    return secrets.randbits(63)


def has_learner(engine: Engine, learner_id: int) -> bool:
    """Whether the learner has sent anything yet."""
    with reading(engine) as session:
        return session.get(Learner, learner_id) is not None


def submit(engine: Engine, learner_id: int, exercise: str, source: str | bytes) -> int:
    """Store a submission for judging and return its id; Refused says why not.

    The caller then enqueues it. If it dies before, a worker's sweep does so.
    """
    raw = source if isinstance(source, bytes) else source.encode(errors="surrogatepass")
    if len(raw) > MAX_SOURCE_KIB * 1024:
        raise TooLarge
    submission = Submission(learner_id=learner_id, exercise=exercise, source=raw)
    with writing(engine) as session:
        admit(session, learner_id)
        if session.exec(_PENDING.where(col(Submission.learner_id) == learner_id)).one() >= MAX_PENDING_PER_LEARNER:
            raise TooManyPending
        session.add(submission)
    assert submission.id is not None
    return submission.id


def admit(session: Session, learner_id: int) -> None:
    """Let no other transaction insert until this one ends, and see that there is room for what it will.

    From now on the store knows the learner.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SUBMIT_LOCK})
    if session.exec(_PENDING).one() + session.exec(PENDING_RUNS).one() >= MAX_QUEUE:
        raise QueueFull
    if session.get(Learner, learner_id) is None:
        session.add(Learner(id=learner_id))
        session.flush()


def get_submission(engine: Engine, submission_id: int) -> Submission | None:
    """The submission, with its source. Whether the asker may see it (`learner_id`) the caller decides."""
    with reading(engine) as session:
        return session.get(Submission, submission_id)


def submissions_of(engine: Engine, learner_id: int, *, exercise: str | None = None, limit: int = 100) -> list[Listed]:
    """A learner's submissions, the newest first."""
    own = select(Submission.id).where(Submission.learner_id == learner_id)
    if exercise is not None:
        own = own.where(Submission.exercise == exercise)
    shown = own.order_by(col(Submission.id).desc()).limit(limit).subquery()
    newest = (
        select(VerdictRow.submission_id, func.max(VerdictRow.attempt).label("attempt"))
        .where(col(VerdictRow.submission_id).in_(select(shown.c.id)))
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
        .join(shown, shown.c.id == col(Submission.id))
        .outerjoin(newest, newest.c.submission_id == col(Submission.id))
        .outerjoin(
            VerdictRow,
            (col(VerdictRow.submission_id) == newest.c.submission_id) & (col(VerdictRow.attempt) == newest.c.attempt),
        )
        .order_by(col(Submission.id).desc())
    )
    with reading(engine) as session:
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


def begun_exercises(engine: Engine, learner_id: int) -> set[str]:
    """The exercises that a learner has submitted something for."""
    query = select(Submission.exercise).where(Submission.learner_id == learner_id).distinct()
    with reading(engine) as session:
        return set(session.exec(query))


def passed_exercises(engine: Engine, learner_id: int) -> set[str]:
    """The exercises a learner has solved: some submission's verdict, current or earlier, is `passed`."""
    query = (
        select(Submission.exercise)
        .join(VerdictRow, col(VerdictRow.submission_id) == col(Submission.id))
        .where(Submission.learner_id == learner_id, PASSED_VERDICTS)
    )
    with reading(engine) as session:
        return set(session.exec(query))


def position(engine: Engine, submission_id: int) -> int | None:
    """The place in the queue: 1 is judged next, 0 is being judged, None is done or unknown."""
    with reading(engine) as session:
        submission = session.get(Submission, submission_id)
        if submission is None or submission.state == State.DONE:
            return None
        if submission.state == State.JUDGING:
            return 0
        first_judging = col(Submission.attempt) == 1
        earlier = col(Submission.id) < submission_id
        if submission.attempt == 1:
            ahead = _WAITING.where(first_judging, earlier)
            runs = _WAITING_RUNS.where(col(Run.after) < submission_id)
        else:
            ahead = _WAITING.where(or_(first_judging, earlier))
            runs = _WAITING_RUNS
        return session.exec(ahead).one() + session.exec(runs).one() + 1


def run_position(engine: Engine, run_id: int) -> int | None:
    """The same of a run, which waits among the submissions."""
    with reading(engine) as session:
        run = session.get(Run, run_id)
        if run is None or run.state == State.DONE:
            return None
        if run.state == State.JUDGING:
            return 0
        submissions = _WAITING.where(col(Submission.attempt) == 1, col(Submission.id) <= run.after)
        runs = _WAITING_RUNS.where(col(Run.id) < run_id)
        return session.exec(submissions).one() + session.exec(runs).one() + 1


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
    with reading(engine) as session:
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
    with reading(engine) as session:
        row = session.exec(query.order_by(col(VerdictRow.attempt).desc()).limit(1)).first()
    return Verdict.model_validate_json(row.body) if row is not None else None


def rejudge(engine: Engine, submission_id: int) -> int | None:
    """Begin the next attempt of a submission; return its number for the caller to enqueue, None if unknown.

    The verdict of the attempt before stays. A worker still busy with that attempt comes late.
    """
    with writing(engine) as session:
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
    with writing(engine) as session:
        submission = _unfinished(session, submission_id, attempt)
        if submission is not None:
            submission.state = State.JUDGING
            submission.tries += 1
        return submission


def add_event(engine: Engine, submission_id: int, attempt: int, new: Stored) -> bool:
    """Store an event for the browser; False if the attempt is done or no longer the current one."""
    last = select(func.max(EventRow.seq)).where(EventRow.submission_id == submission_id, EventRow.attempt == attempt)
    body = new.model_dump_json()
    with writing(engine) as session:
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
    with writing(engine) as session:
        submission = _unfinished(session, submission_id, attempt)
        if submission is None:
            return False
        submission.state = State.DONE
        session.add(row)
    return True


def give_back(engine: Engine, submission_id: int, attempt: int) -> None:
    """Put an attempt that was begun, and is not finished for reasons of ours, among the waiting again."""
    with writing(engine) as session:
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
    with reading(engine) as session:
        return [Unfinished(*row) for row in session.execute(query)]


def forget_events(engine: Engine) -> int:
    """Delete the events of what was judged long enough ago: the verdict says all of it. Returns how many."""
    judged = select(VerdictRow.submission_id).where(
        col(VerdictRow.created_at) < now() - KEEP_EVENTS,
        VerdictRow.submission_id == EventRow.submission_id,
        VerdictRow.attempt == EventRow.attempt,
    )
    with writing(engine) as session:
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
