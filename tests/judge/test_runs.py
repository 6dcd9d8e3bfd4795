"""Runs in the store: their limits, their way to the end, and that nothing of them lasts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine
from sqlmodel import update

from judge import database, runs, store, tables
from judge.run import Begun, Ended, Printed, Program
from judge.tables import Run, State
from judge.verdict import Status, Verdict


def start(engine: Engine, learner: int, code: str = "print(1)") -> int:
    return runs.start(engine, learner, [code]).id or 0


def age(engine: Engine, by: timedelta) -> None:
    with database.writing(engine) as session:
        session.exec(update(Run).values(created_at=tables.now() - by))


def test_the_way_of_a_run(engine: Engine, learner: int) -> None:
    first, second = start(engine, learner), start(engine, learner)
    assert [store.run_position(engine, id_) for id_ in (first, second)] == [1, 2]
    assert runs.unfinished(engine) == [(first, 0), (second, 0)]
    begun = runs.begin(engine, first)
    assert begun is not None
    assert Program.model_validate_json(begun.program) == Program(blocks=("print(1)",))
    assert (begun.tries, begun.state) == (1, State.JUDGING)
    assert [store.run_position(engine, id_) for id_ in (first, second)] == [0, 1]
    assert runs.add_printed(engine, first, Printed(text="1\n"))
    assert runs.add_printed(engine, first, Printed(text=""))  # only asks whether to go on
    assert runs.finish(engine, first, Ended(duration_ms=3.0))
    expected = [(1, Begun()), (2, Printed(text="1\n")), (3, Ended(duration_ms=3.0))]
    assert runs.events_after(engine, first) == expected
    assert runs.events_after(engine, first, 2) == expected[2:]
    assert store.run_position(engine, first) is None
    assert runs.unfinished(engine) == [(second, 0)]


def test_what_has_ended_does_not_change(engine: Engine, learner: int) -> None:
    id_ = start(engine, learner)
    runs.begin(engine, id_)
    runs.stop(engine, id_)
    assert runs.begin(engine, id_) is None
    for text in ("late", ""):
        assert not runs.add_printed(engine, id_, Printed(text=text))
    assert not runs.finish(engine, id_, Ended())
    runs.give_back(engine, id_)
    ended = runs.events_after(engine, id_)[-1][1]
    assert isinstance(ended, Ended)
    assert str(ended.message) == "You stopped it."


def test_one_that_waits_can_be_stopped(engine: Engine, learner: int) -> None:
    id_ = start(engine, learner)
    runs.stop(engine, id_)
    assert runs.unfinished(engine) == []
    stopped = runs.get(engine, id_)
    assert stopped is not None
    assert stopped.program == ""  # what nobody will run is not kept
    assert [type(event) for _, event in runs.events_after(engine, id_)] == [Ended]


def test_given_back_it_waits_again_and_begins_anew(engine: Engine, learner: int) -> None:
    id_ = start(engine, learner)
    runs.begin(engine, id_)
    runs.give_back(engine, id_)
    again = runs.begin(engine, id_)
    assert again is not None
    assert again.tries == 1
    assert [type(event) for _, event in runs.events_after(engine, id_)] == [Begun, Begun]


def test_a_reader_has_few_at_a_time(engine: Engine, learner: int) -> None:
    running = [start(engine, learner) for _ in range(store.MAX_PENDING_PER_LEARNER)]
    with pytest.raises(store.TooManyRuns):
        start(engine, learner)
    start(engine, store.draw_learner())
    store.submit(engine, learner, "tiny", "x = 1")  # runs take nothing from what a learner may submit
    runs.stop(engine, running[0])
    start(engine, learner)


def test_too_large_a_program_is_refused(engine: Engine, learner: int) -> None:
    half = "#" * (store.MAX_SOURCE_KIB * 512)
    runs.start(engine, learner, [half, half])
    for blocks in ([half, half, "#"], ["1"] * (runs.MAX_BLOCKS + 1)):
        with pytest.raises(store.ProgramTooLarge):
            runs.start(engine, learner, blocks)


def test_runs_and_submissions_share_one_queue(engine: Engine, learner: int, monkeypatch: pytest.MonkeyPatch) -> None:
    first = start(engine, learner)
    submission = store.submit(engine, learner, "tiny", "x = 1")
    last = start(engine, learner)
    assert [store.run_position(engine, first), store.position(engine, submission)] == [1, 2]
    assert store.run_position(engine, last) == 3
    monkeypatch.setattr(store, "MAX_QUEUE", 3)
    for insert in (lambda: start(engine, learner), lambda: store.submit(engine, learner, "tiny", "x = 2")):
        with pytest.raises(store.QueueFull):
            insert()


def test_judging_again_waits_for_all_runs(engine: Engine, learner: int) -> None:
    submission = store.submit(engine, learner, "tiny", "x = 1")
    verdict = Verdict(exercise="tiny", exercise_hash="0", status=Status.PASSED, seed=1, duration_ms=1.0)
    store.finish(engine, submission, 1, verdict)
    store.rejudge(engine, submission)
    run = start(engine, learner)
    assert (store.run_position(engine, run), store.position(engine, submission)) == (1, 2)


def test_what_is_no_text_in_a_database_is_kept_nevertheless(engine: Engine, learner: int) -> None:
    id_ = start(engine, learner, "print('\0é\ud800')")
    run = runs.get(engine, id_)
    assert run is not None
    assert Program.model_validate_json(run.program).blocks == ("print('\0é?')",)


def test_ended_runs_are_forgotten(engine: Engine, learner: int) -> None:
    ended, running = start(engine, learner), start(engine, learner)
    runs.begin(engine, ended)
    runs.finish(engine, ended, Ended())
    assert runs.forget(engine) == 0
    age(engine, store.KEEP_EVENTS)
    assert runs.forget(engine) == 1
    assert runs.get(engine, ended) is None
    assert runs.events_after(engine, ended) == []
    assert runs.unfinished(engine) == [(running, 0)]
