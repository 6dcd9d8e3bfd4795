from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from judge import store
from judge.store import FINISHED_SEQ
from judge.tables import State
from judge.verdict import CheckEnded, CheckResult, CheckTitle, Finished, Started, Status, Verdict

STARTED = Started(checks=[CheckTitle(id="one", title="One")])
CHECK = CheckEnded(check=CheckResult(id="one", title="One", status=Status.FAILED, duration_ms=1.5))


def verdict(status: Status = Status.PASSED, seed: int = 7) -> Verdict:
    return Verdict(exercise="tiny", exercise_hash="0", status=status, seed=seed, duration_ms=2.0)


def judged(engine: Engine, learner: int, status: Status, exercise: str = "tiny") -> int:
    id_ = store.submit(engine, learner, exercise, "x = 1")
    assert store.begin(engine, id_, 1)
    assert store.finish(engine, id_, 1, verdict(status))
    return id_


def test_a_submission_comes_back_byte_for_byte(engine: Engine, learner: int) -> None:
    for source in [b"", b"\xff\x00\xfe", "é\ud800\0".encode(errors="surrogatepass")]:
        id_ = store.submit(engine, learner, "tiny", source)
        submission = store.get_submission(engine, id_)
        assert submission is not None
        assert submission.source == source
        assert isinstance(submission.source_text, str)
    assert datetime.now(UTC) - submission.created_at < timedelta(minutes=1)


def test_the_way_of_a_submission(engine: Engine, learner: int) -> None:
    first = store.submit(engine, learner, "tiny", "x = 1")
    second = store.submit(engine, learner, "tiny", "x = 2")
    assert [store.position(engine, id_) for id_ in (first, second)] == [1, 2]

    begun = store.begin(engine, first, 1)
    assert begun is not None
    assert (begun.source, begun.tries, begun.state) == (b"x = 1", 1, State.JUDGING)
    assert [store.position(engine, id_) for id_ in (first, second)] == [0, 1]
    assert store.add_event(engine, first, 1, STARTED)
    assert store.add_event(engine, first, 1, CHECK)
    assert store.events_after(engine, first, 1) == [(1, STARTED), (2, CHECK)]
    assert store.events_after(engine, first, 1, seq=1) == [(2, CHECK)]
    assert store.verdict_of(engine, first) is None

    assert store.finish(engine, first, 1, verdict(Status.FAILED))
    assert store.position(engine, first) is None
    assert store.verdict_of(engine, first) == verdict(Status.FAILED)
    finished = (FINISHED_SEQ, Finished(verdict=verdict(Status.FAILED)))
    assert store.events_after(engine, first, 1, seq=1) == [(2, CHECK), finished]
    assert store.events_after(engine, first, 1, seq=FINISHED_SEQ) == []
    assert [(u.submission_id, u.attempt) for u in store.unfinished(engine)] == [(second, 1)]


def test_an_attempt_cut_short_starts_again(engine: Engine, learner: int) -> None:
    id_ = store.submit(engine, learner, "tiny", "x = 1")
    for tries in (1, 2):
        begun = store.begin(engine, id_, 1)
        assert begun is not None
        assert begun.tries == tries
        store.add_event(engine, id_, 1, STARTED)
    assert store.events_after(engine, id_, 1) == [(1, STARTED), (2, STARTED)]
    store.give_back(engine, id_, 1)
    submission = store.get_submission(engine, id_)
    assert submission is not None
    assert (submission.state, submission.tries) == (State.QUEUED, 1)


def test_a_late_worker_changes_nothing(engine: Engine, learner: int) -> None:
    id_ = store.submit(engine, learner, "tiny", "x = 1")
    assert store.begin(engine, id_, 1)
    assert store.rejudge(engine, id_) == 2
    assert store.begin(engine, id_, 1) is None
    assert not store.add_event(engine, id_, 1, STARTED)
    assert not store.finish(engine, id_, 1, verdict(seed=1))
    assert store.begin(engine, id_, 2)
    assert store.finish(engine, id_, 2, verdict(seed=2))
    assert not store.finish(engine, id_, 2, verdict(seed=3))
    store.give_back(engine, id_, 2)
    assert store.position(engine, id_) is None
    assert store.verdict_of(engine, id_) == verdict(seed=2)
    assert store.verdict_of(engine, id_, attempt=1) is None


def test_of_many_workers_one_writes_the_verdict(engine: Engine, learner: int) -> None:
    id_ = store.submit(engine, learner, "tiny", "x = 1")
    with ThreadPoolExecutor(8) as pool:
        wrote = list(pool.map(lambda seed: store.finish(engine, id_, 1, verdict(seed=seed)), range(8)))
    assert wrote.count(True) == 1
    assert store.verdict_of(engine, id_) == verdict(seed=wrote.index(True))


def test_events_of_two_workers_do_not_collide(engine: Engine, learner: int) -> None:
    id_ = store.submit(engine, learner, "tiny", "x = 1")
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda _: store.add_event(engine, id_, 1, CHECK), range(20)))
    assert [seq for seq, _ in store.events_after(engine, id_, 1)] == list(range(1, 21))


def test_a_large_source_is_refused(engine: Engine, learner: int) -> None:
    store.submit(engine, learner, "tiny", "é" * (32 * 1024))
    with pytest.raises(store.TooLarge, match="64 KiB"):
        store.submit(engine, learner, "tiny", "é" * (32 * 1024) + "x")


def test_a_learner_is_known_once_they_have_sent_something(engine: Engine, learner: int) -> None:
    assert not store.has_learner(engine, learner)
    with pytest.raises(store.TooLarge):
        store.submit(engine, learner, "tiny", "x" * (64 * 1024 + 1))
    assert not store.has_learner(engine, learner)
    store.submit(engine, learner, "tiny", "x = 1")
    assert store.has_learner(engine, learner)


def test_three_may_wait_for_each_learner(engine: Engine, learner: int) -> None:
    ids = [store.submit(engine, learner, "tiny", "x = 1") for _ in range(3)]
    with pytest.raises(store.TooManyPending, match="3 submissions waiting"):
        store.submit(engine, learner, "tiny", "x = 1")
    store.submit(engine, store.draw_learner(), "tiny", "x = 1")
    store.begin(engine, ids[0], 1)
    store.finish(engine, ids[0], 1, verdict())
    store.rejudge(engine, ids[0])  # takes nothing from the learner
    store.submit(engine, learner, "tiny", "x = 1")


def outcome(engine: Engine, learner: int) -> str:
    try:
        store.submit(engine, learner, "tiny", "x = 1")
    except store.Refused as refused:
        return type(refused).__name__
    return "taken"


def test_parallel_posts_cannot_pass_a_learners_limit(engine: Engine, learner: int) -> None:
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda _: outcome(engine, learner), range(16)))
    assert sorted(outcomes) == ["TooManyPending"] * 13 + ["taken"] * 3


def test_parallel_posts_cannot_overfill_the_queue(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_QUEUE", 5)
    learners = [store.draw_learner() for _ in range(12)]
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda learner: outcome(engine, learner), learners))
    assert sorted(outcomes) == ["QueueFull"] * 7 + ["taken"] * 5


def test_judging_again_waits_for_all_learners(engine: Engine, learner: int) -> None:
    first, second = (judged(engine, learner, Status.PASSED) for _ in range(2))
    store.rejudge(engine, second)
    store.rejudge(engine, first)
    third = store.submit(engine, learner, "tiny", "x = 1")
    assert [store.position(engine, id_) for id_ in (third, first, second)] == [1, 2, 3]
    assert store.rejudge(engine, 999) is None


def test_a_learners_submissions(engine: Engine, learner: int) -> None:
    other = store.draw_learner()
    judged(engine, other, Status.PASSED)
    first = judged(engine, learner, Status.FAILED)
    second = judged(engine, learner, Status.PASSED, exercise="other")
    third = store.submit(engine, learner, "tiny", "x = 1")
    listed = store.submissions_of(engine, learner)
    assert [(one.id, one.state, one.status) for one in listed] == [
        (third, State.QUEUED, None),
        (second, State.DONE, Status.PASSED),
        (first, State.DONE, Status.FAILED),
    ]
    assert [one.id for one in store.submissions_of(engine, learner, exercise="tiny")] == [third, first]
    assert [one.id for one in store.submissions_of(engine, learner, limit=1)] == [third]
    assert store.passed_exercises(engine, learner) == {"other"}
    assert store.begun_exercises(engine, learner) == {"other", "tiny"}

    store.rejudge(engine, second)
    assert store.submissions_of(engine, learner, exercise="other")[0].status == Status.PASSED
    store.finish(engine, second, 2, verdict(Status.FAILED))
    assert store.submissions_of(engine, learner, exercise="other")[0].status == Status.FAILED


def test_old_events_are_forgotten_and_the_verdict_stays(
    engine: Engine, learner: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = store.submit(engine, learner, "tiny", "x = 1")
    waiting = store.submit(engine, learner, "tiny", "x = 1")
    for one in (id_, waiting):
        store.add_event(engine, one, 1, STARTED)
    store.finish(engine, id_, 1, verdict())
    assert store.forget_events(engine) == 0
    monkeypatch.setattr(store, "KEEP_EVENTS", timedelta(0))
    assert store.forget_events(engine) == 1
    assert store.events_after(engine, id_, 1) == [(FINISHED_SEQ, Finished(verdict=verdict()))]
    assert store.events_after(engine, waiting, 1) == [(1, STARTED)]
