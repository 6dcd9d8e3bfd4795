from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge import runs, store, worker
from judge.exercise import Exercise, configured_roots
from judge.run import BROKEN, Begun, Ended, Printed, RunEvent
from judge.sandbox.wall import NoWall
from judge.shelves import Shelves
from judge.tables import State
from judge.verdict import CheckEnded, Event, Finished, Started, Status, Verdict
from judge.worker import Worker
from tests.judge.worker_double import Double


@pytest.fixture
def url(migrated_sqlite: Path, tmp_path: Path) -> str:
    """What a worker does is the same on every database: here SQLite will do."""
    shutil.copytree(migrated_sqlite, tmp_path / "database")
    return f"sqlite:///{tmp_path}/database/five_lines.sqlite"


@pytest.fixture
def gradings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRADINGS", str(tmp_path / "gradings"))
    (tmp_path / "gradings").touch()
    return tmp_path / "gradings"


@pytest.fixture
def stop() -> threading.Event:
    return threading.Event()


@pytest.fixture
def at_work(engine: Engine, exercises: Path, gradings: Path, stop: threading.Event) -> Iterator[Worker]:
    Double.made = 0
    at_work = Worker(engine, [exercises], 1, Double, stop)
    yield at_work
    at_work.close()


def submit(engine: Engine, source: str, exercise: str = "tiny") -> int:
    return store.submit(engine, store.draw_learner(), exercise, source)


def judged(at_work: Worker, engine: Engine, source: str, exercise: str = "tiny") -> Verdict:
    id_ = submit(engine, source, exercise)
    at_work.judge(id_, 1)
    verdict = store.verdict_of(engine, id_)
    assert verdict is not None
    return verdict


def stored(engine: Engine, id_: int) -> tuple[str, int]:
    submission = store.get_submission(engine, id_)
    assert submission is not None
    return submission.state, submission.tries


def test_events_and_verdict_are_stored(at_work: Worker, engine: Engine) -> None:
    id_ = submit(engine, "x = 1")
    at_work.judge(id_, 1)
    events = [event for _, event in store.events_after(engine, id_, 1)]
    assert [type(event) for event in events] == [Started, CheckEnded, Finished]
    verdict = store.verdict_of(engine, id_)
    assert verdict is not None
    assert verdict.status is Status.PASSED
    assert stored(engine, id_) == (State.DONE, 1)


def test_a_fault_is_tried_once_more_with_a_new_judge(at_work: Worker, engine: Engine) -> None:
    assert judged(at_work, engine, "fault-once").status is Status.PASSED
    assert Double.made == 2


def test_a_fault_that_stays_is_stored(at_work: Worker, engine: Engine, gradings: Path) -> None:
    assert judged(at_work, engine, "fault").status is Status.FAULT
    assert gradings.read_text() == "fault\n" * 2


@pytest.mark.parametrize("source", ["break", "nothing"])
def test_no_finished_is_a_fault(at_work: Worker, engine: Engine, source: str) -> None:
    verdict = judged(at_work, engine, source)
    assert verdict.status is Status.FAULT
    assert "on our side" in str(verdict.message)


def test_an_exercise_that_is_not_there_is_a_fault(at_work: Worker, engine: Engine) -> None:
    verdict = judged(at_work, engine, "x = 1", exercise="gone")
    assert (verdict.status, verdict.exercise) == (Status.FAULT, "gone")
    assert "kept" in str(verdict.message)


def test_what_interrupts_judging_each_time_is_not_judged_for_ever(
    at_work: Worker, engine: Engine, gradings: Path
) -> None:
    id_ = submit(engine, "x = 1")
    for _ in range(worker.MAX_TRIES):
        store.begin(engine, id_, 1)  # and then the worker died
    at_work.judge(id_, 1)
    verdict = store.verdict_of(engine, id_)
    assert verdict is not None
    assert "interrupted" in str(verdict.message)
    assert gradings.read_text() == ""


def test_what_is_judged_is_not_judged_again(at_work: Worker, engine: Engine, gradings: Path) -> None:
    id_ = submit(engine, "x = 1")
    at_work.judge(id_, 1)
    at_work.judge(id_, 1)
    at_work.judge(id_, 2)
    assert gradings.read_text() == "x = 1\n"


def test_an_attempt_overtaken_by_another_is_dropped(
    at_work: Worker, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = submit(engine, "x = 1")
    grade = Double.grade

    def overtaken(self: Double, exercise: Exercise, source: bytes) -> Iterator[Event]:
        if store.verdict_of(engine, id_) is None and stored(engine, id_)[0] == State.JUDGING:
            store.rejudge(engine, id_)
        yield from grade(self, exercise, source)

    monkeypatch.setattr(Double, "grade", overtaken)
    at_work.judge(id_, 1)
    assert store.verdict_of(engine, id_) is None
    assert stored(engine, id_) == (State.QUEUED, 0)


def full(*_: object) -> bool:
    raise OperationalError("INSERT", None, Exception("database or disk is full"))


def test_a_verdict_waits_for_a_failing_database(
    at_work: Worker, engine: Engine, gradings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = submit(engine, "x = 1")
    finish = store.finish
    failures = iter([full, full])
    monkeypatch.setattr(worker, "TRY_AGAIN_S", 0.01)
    monkeypatch.setattr(store, "finish", lambda *words: next(failures, finish)(*words))
    at_work.judge(id_, 1)
    assert stored(engine, id_) == (State.DONE, 1)
    assert gradings.read_text() == "x = 1\n"


def test_a_failing_database_costs_no_tries(
    at_work: Worker, engine: Engine, stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = submit(engine, "x = 1")
    stop.set()
    with monkeypatch.context() as patch:
        patch.setattr(store, "finish", full)
        with pytest.raises(OperationalError):
            at_work.judge(id_, 1)
    assert stored(engine, id_) == (State.QUEUED, 0)
    at_work.judge(id_, 1)
    assert stored(engine, id_) == (State.DONE, 1)


def test_a_broken_exercise_is_judged_by_its_last_good_version(
    at_work: Worker, engine: Engine, exercises: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_work, "_shelves", Shelves([exercises], rest_s=0))
    good = judged(at_work, engine, "x = 1").exercise_hash
    (exercises / "tiny" / "probe.py").write_text("def broken(:\n")
    broken = judged(at_work, engine, "x = 2")
    assert (broken.status, broken.exercise_hash) == (Status.PASSED, good)
    (exercises / "tiny" / "probe.py").write_text("def double(solution, x):\n    return solution.f(x) + 0\n")
    assert judged(at_work, engine, "x = 3").exercise_hash != good


def test_what_cannot_be_stored_costs_a_try(at_work: Worker, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def unstorable(*_: object) -> bool:
        raise ValueError("not JSON")

    id_ = submit(engine, "x = 1")
    monkeypatch.setattr(store, "add_event", unstorable)
    with pytest.raises(ValueError, match="not JSON"):
        at_work.judge(id_, 1)
    assert stored(engine, id_) == (State.JUDGING, 1)


def test_a_fault_while_stopping_is_left_to_the_next(at_work: Worker, engine: Engine, stop: threading.Event) -> None:
    id_ = submit(engine, "fault")
    stop.set()
    at_work.judge(id_, 1)
    assert stored(engine, id_) == (State.QUEUED, 0)


def test_a_slot_without_a_judge_makes_one(at_work: Worker, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_wall(_: Double) -> Double:
        raise NoWall("bubblewrap is gone")

    id_ = submit(engine, "fault-once")
    with monkeypatch.context() as patch:
        patch.setattr(Double, "__enter__", no_wall)
        with pytest.raises(NoWall):
            at_work.judge(id_, 1)
    assert stored(engine, id_) == (State.QUEUED, 0)
    at_work.judge(id_, 1)
    assert stored(engine, id_) == (State.DONE, 1)


def test_roots_of_exercises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIVE_LINES_EXERCISES", raising=False)
    assert [root.name for root in configured_roots()] == ["exercises"]
    monkeypatch.setenv("FIVE_LINES_EXERCISES", os.pathsep.join(["one", "two"]))
    assert configured_roots() == [Path.cwd() / "one", Path.cwd() / "two"]


def test_without_a_wall_it_does_not_start(
    url: str, exercises: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_wall() -> Double:
        raise NoWall("No wall can be had here. Install bubblewrap.")

    monkeypatch.setenv("FIVE_LINES_DATABASE", url)
    monkeypatch.setenv("FIVE_LINES_EXERCISES", str(exercises))
    monkeypatch.setattr(sys, "argv", ["worker"])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert worker.main(no_wall) == os.EX_CONFIG
    assert capsys.readouterr().err == "No wall can be had here. Install bubblewrap.\n"


def test_without_its_tables_it_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FIVE_LINES_DATABASE", f"sqlite:///{tmp_path}/new.sqlite")
    monkeypatch.setattr(sys, "argv", ["worker"])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert worker.main(Double) == os.EX_CONFIG
    assert "run python -m judge.migrations" in capsys.readouterr().err


# --- runs


def started(engine: Engine, code: str) -> int:
    return runs.start(engine, store.draw_learner(), [code]).id or 0


def heard(engine: Engine, id_: int) -> list[RunEvent]:
    return [event for _, event in runs.events_after(engine, id_)]


def test_what_a_run_prints_is_stored(at_work: Worker, engine: Engine) -> None:
    id_ = started(engine, "pass")
    at_work.run(id_)
    at_work.run(id_)  # for nothing
    assert heard(engine, id_) == [Begun(), Printed(text="pass\n"), Ended(duration_ms=1.0)]


def test_a_run_stopped_by_its_reader_frees_the_slot(at_work: Worker, engine: Engine) -> None:
    id_ = started(engine, "sleep 600")
    thread = threading.Thread(target=at_work.run, args=(id_,))
    thread.start()
    while len(heard(engine, id_)) < 2:
        assert thread.is_alive()
    runs.stop(engine, id_)
    thread.join(30)
    assert not thread.is_alive()
    assert [type(event) for event in heard(engine, id_)] == [Begun, Printed, Ended]
    assert judged(at_work, engine, "x = 1").status is Status.PASSED


def test_a_run_without_an_end_is_our_fault(at_work: Worker, engine: Engine) -> None:
    id_ = started(engine, "nothing")
    at_work.run(id_)
    assert heard(engine, id_)[-1] == BROKEN


def test_a_run_that_takes_the_worker_down_each_time_is_given_up(at_work: Worker, engine: Engine) -> None:
    id_ = started(engine, "pass")
    for _ in range(worker.MAX_TRIES):
        runs.begin(engine, id_)  # and then the worker died
    at_work.run(id_)
    assert heard(engine, id_)[-2:] == [Begun(), BROKEN]


def test_a_run_in_hand_is_given_back(at_work: Worker, engine: Engine) -> None:
    id_ = started(engine, "sleep 600")
    thread = threading.Thread(target=at_work.run, args=(id_,))
    thread.start()
    while len(heard(engine, id_)) < 2:
        assert thread.is_alive()
    assert at_work.give_back()
    run = runs.get(engine, id_)
    assert run is not None
    assert (run.state, run.tries) == (State.QUEUED, 0)
    runs.stop(engine, id_)
    thread.join(30)
