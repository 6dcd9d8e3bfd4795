"""The runs in the store: what the site and a worker do with them.

A run is to the store what a submission is (`judge.store` tells the rules), except that nothing of it lasts: its last
event, `ended`, is written in one transaction with the state `done`, and an hour later all of it is forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import TypeAdapter
from sqlalchemy import Engine
from sqlmodel import Session, col, delete, func, select

from judge import tables
from judge.database import reading, writing
from judge.run import LIMITS, LIMITS_WITH_PROCESSES, Begun, Ended, Printed, Program, RunEvent
from judge.store import (
    KEEP_EVENTS,
    MAX_PENDING_PER_LEARNER,
    MAX_SOURCE_KIB,
    PENDING_RUNS,
    ProgramTooLarge,
    TooManyRuns,
    admit,
)
from judge.tables import Run, RunEventRow, State, Submission
from judge.verdict import Message

STOPPED = "You stopped it."
MAX_BLOCKS = 20  # far more than build on each other in any section

_events: TypeAdapter[RunEvent] = TypeAdapter(RunEvent)


# --- What the site does


def start(
    engine: Engine, learner_id: int, blocks: Sequence[str], *, names: Sequence[str] = (), processes: bool = False
) -> Run:
    """Store a run and return it, for the caller to enqueue; Refused says why not."""
    program = Program(
        blocks=tuple(block.encode(errors="replace").decode() for block in blocks),
        names=tuple(names),
        limits=LIMITS_WITH_PROCESSES if processes else LIMITS,
    )
    if len(blocks) > MAX_BLOCKS or sum(len(block.encode()) for block in program.blocks) > MAX_SOURCE_KIB * 1024:
        raise ProgramTooLarge
    run = Run(learner_id=learner_id, program=program.model_dump_json(), after=0)
    newest = select(func.max(Submission.id))
    with writing(engine) as session:
        admit(session, learner_id)
        if session.exec(PENDING_RUNS.where(col(Run.learner_id) == learner_id)).one() >= MAX_PENDING_PER_LEARNER:
            raise TooManyRuns
        run.after = session.exec(newest).one() or 0
        session.add(run)
    return run


def get(engine: Engine, run_id: int) -> Run | None:
    """The run. Whether the asker may see it (`learner_id`) the caller decides."""
    with reading(engine) as session:
        return session.get(Run, run_id)


def events_after(engine: Engine, run_id: int, seq: int = 0) -> list[tuple[int, RunEvent]]:
    """The events after number `seq`, in order, each with its number. The last there will be is `ended`."""
    rows = (
        select(RunEventRow)
        .where(RunEventRow.run_id == run_id, col(RunEventRow.seq) > seq)
        .order_by(col(RunEventRow.seq))
    )
    with reading(engine) as session:
        return [(row.seq, _events.validate_json(row.body)) for row in session.exec(rows)]


def stop(engine: Engine, run_id: int) -> None:
    """End a run because its reader says so. The worker finds out with what it would write next.

    One that still waits is for the caller to withdraw from the queue.
    """
    finish(engine, run_id, Ended(message=Message(template=STOPPED)))


# --- What a worker does


def begin(engine: Engine, run_id: int) -> Run | None:
    """Mark a run as running and return it; None if it is done."""
    with writing(engine) as session:
        run = _unfinished(session, run_id)
        if run is not None:
            run.state = State.JUDGING
            run.tries += 1
            _add(session, run_id, Begun())
        return run


def add_printed(engine: Engine, run_id: int, printed: Printed) -> bool:
    """Store what was printed; False if the run has been ended by its reader."""
    if printed.text == "":
        with reading(engine) as session:
            run = session.get(Run, run_id)
            return run is not None and run.state != State.DONE
    return _add_to_unfinished(engine, run_id, printed)


def finish(engine: Engine, run_id: int, ended: Ended) -> bool:
    """Write how a run ended; False if it had ended already."""
    return _add_to_unfinished(engine, run_id, ended)


def give_back(engine: Engine, run_id: int) -> None:
    """Put a run that was begun, and has not ended for reasons of ours, among the waiting again."""
    with writing(engine) as session:
        run = _unfinished(session, run_id)
        if run is not None and run.state == State.JUDGING:
            run.state = State.QUEUED
            run.tries -= 1


def unfinished(engine: Engine) -> list[tuple[int, int]]:
    """The runs that must still end, the oldest first, each with the submission behind which it waits."""
    query = select(Run.id, Run.after).where(col(Run.state) != State.DONE).order_by(col(Run.id))
    with reading(engine) as session:
        return [(run_id, after) for run_id, after in session.exec(query) if run_id is not None]


def forget(engine: Engine) -> int:
    """Delete the runs that ended and are old enough. Returns how many."""
    old = select(Run.id).where(Run.state == State.DONE, col(Run.created_at) < tables.now() - KEEP_EVENTS)
    with writing(engine) as session:
        session.exec(delete(RunEventRow).where(col(RunEventRow.run_id).in_(old)))
        return session.exec(delete(Run).where(col(Run.id).in_(old))).rowcount


def _add_to_unfinished(engine: Engine, run_id: int, event: Printed | Ended) -> bool:
    with writing(engine) as session:
        run = _unfinished(session, run_id)
        if run is None:
            return False
        _add(session, run_id, event)
        if isinstance(event, Ended):
            run.state = State.DONE
            run.program = ""  # nobody asks for it any more, and there may be many
        return True


def _add(session: Session, run_id: int, event: RunEvent) -> None:
    last = select(func.max(RunEventRow.seq)).where(RunEventRow.run_id == run_id)
    seq = (session.exec(last).one() or 0) + 1
    session.add(RunEventRow(run_id=run_id, seq=seq, body=event.model_dump_json()))


def _unfinished(session: Session, run_id: int) -> Run | None:
    """The run, its row locked, if it has not ended."""
    query = select(Run).where(Run.id == run_id, col(Run.state) != State.DONE).with_for_update()
    return session.exec(query).one_or_none()
