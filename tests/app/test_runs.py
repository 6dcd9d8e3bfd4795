"""What a reader runs: taken in, refused, followed, stopped, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine
from sqlmodel import Session, select
from starlette.testclient import TestClient

from judge import runs, store, tables
from judge.exercise import DEFAULT_ROOT
from judge.run import LIMITS, LIMITS_WITH_PROCESSES, Ended, Printed, Program
from judge.verdict import Message
from tests.app.conftest import HOSTILE


def start(browser: TestClient, *blocks: str, processes: bool = False) -> int:
    answer = browser.post("/api/runs", json={"blocks": list(blocks) or ["print(1)"], "processes": processes})
    assert answer.status_code == 201, answer.text
    number: int = answer.json()["id"]
    return number


def run_it(engine: Engine, id_: int, printed: str = "1\n", **ended: object) -> None:
    """What a worker writes."""
    assert runs.begin(engine, id_) is not None
    runs.add_printed(engine, id_, Printed(text=printed))
    assert runs.finish(engine, id_, Ended.model_validate(ended))


def events(browser: TestClient, id_: int, lang: str = "en", **headers: str) -> list[dict[str, str]]:
    body = browser.get(f"/api/runs/{id_}/events?lang={lang}", headers=headers).text
    return [json.loads(line.removeprefix("data: ")) for line in body.splitlines() if line.startswith("data: ")]


def test_a_run_is_stored_as_it_was_sent(browser: TestClient, engine: Engine) -> None:
    for processes, limits in ((False, LIMITS), (True, LIMITS_WITH_PROCESSES)):
        run = runs.get(engine, start(browser, "x = 1", "print(x)", processes=processes))
        assert run is not None
        assert Program.model_validate_json(run.program) == Program(blocks=("x = 1", "print(x)"), limits=limits)


def test_a_study_runs_after_the_learner_s_code(browser: TestClient, engine: Engine) -> None:
    answer = browser.post("/api/exercises/clip/study", json={"source": "x = 1"})
    assert answer.status_code == 201, answer.text
    run = runs.get(engine, answer.json()["id"])
    assert run is not None
    program = Program.model_validate_json(run.program)
    assert program.blocks == ("x = 1", (DEFAULT_ROOT / "clip" / "study.py").read_text())
    assert (program.files, program.limits) == (["solution.py", "study.py"], LIMITS)
    assert store.submissions_of(engine, 1) == []


def test_a_study_is_refused_as_every_run_is(browser: TestClient) -> None:
    for exercise, status in (("loop", 404), ("nothing", 404)):
        assert browser.post(f"/api/exercises/{exercise}/study", json={"source": "x"}).status_code == status
    assert "没有试验" in browser.post("/api/exercises/loop/study?lang=zh", json={"source": "x"}).json()["error"]
    large = browser.post("/api/exercises/clip/study", json={"source": "#" * store.MAX_SOURCE_KIB * 1024})
    assert large.status_code == 413
    for _ in range(store.MAX_PENDING_PER_LEARNER):
        start(browser)
    assert browser.post("/api/exercises/clip/study", json={"source": "x"}).status_code == 429


def test_running_makes_a_learner_and_no_submission(browser: TestClient, engine: Engine) -> None:
    start(browser)
    assert "learner" in browser.cookies
    with Session(engine) as session:
        assert len(session.scalars(select(tables.Learner)).all()) == 1
        assert session.scalars(select(tables.Submission)).all() == []
    assert "print(1)" not in browser.get("/en/submissions").text


def test_its_events_end_with_how_it_ended(browser: TestClient, engine: Engine) -> None:
    id_ = start(browser)
    run_it(engine, id_, duration_ms=66.4)
    begun, printed, ended = events(browser, id_)
    assert begun == {"event": "begun"}
    assert printed == {"event": "printed", "text": "1\n"}
    assert ended["event"] == "ended"
    assert "Ended after 67 ms." in ended["html"]
    assert events(browser, id_, **{"Last-Event-ID": "2"}) == [ended]
    for late in ("3", "99999"):
        assert events(browser, id_, **{"Last-Event-ID": late}) == []
    assert len(events(browser, id_, **{"Last-Event-ID": "nonsense"})) == 3


@pytest.mark.parametrize(("lang", "sentence"), [("en", "Stopped after 10 s."), ("zh", "10 秒后已停止"), ("ko", "10초")])
def test_what_kept_it_from_its_end_is_said_in_the_reader_s_language(
    browser: TestClient, engine: Engine, lang: str, sentence: str
) -> None:
    id_ = start(browser)
    template = "Stopped after {seconds:g} s. No run may take longer here."
    run_it(engine, id_, message=Message(template=template, values={"seconds": 10.0}))
    assert sentence in events(browser, id_, lang)[-1]["html"]


def test_what_it_says_is_shown_as_text(browser: TestClient, engine: Engine) -> None:
    id_ = start(browser)
    message = Message(template="Your code raised {error}", values={"error": HOSTILE})
    run_it(engine, id_, message=message, traceback=HOSTILE)
    html = events(browser, id_)[-1]["html"]
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt; \\x1b[31mred\\x1b[0m \\u202eturned\\x00") == 2
    assert "<script" not in html


def test_a_reader_stops_a_run(browser: TestClient, engine: Engine) -> None:
    id_ = start(browser)
    for _ in range(2):
        assert browser.post(f"/api/runs/{id_}/stop").status_code == 204
    assert "You stopped it." in events(browser, id_)[-1]["html"]


def test_another_s_run_looks_like_none(browser: TestClient, visitor: Callable[[], TestClient], engine: Engine) -> None:
    id_ = start(browser)
    for stranger, number in ((visitor(), id_), (browser, id_ + 1), (browser, 2**40), (browser, -(2**80))):
        refused = [stranger.get(f"/api/runs/{number}/events"), stranger.post(f"/api/runs/{number}/stop")]
        for answer in refused:
            assert answer.status_code == 404
            assert answer.json() == {"error": "There is no run of yours with that number."}
    assert runs.unfinished(engine) == [(id_, 0)]


def test_too_many_too_large_and_nothing_are_refused(browser: TestClient) -> None:
    for blocks, status in ([["#" * 2**16, "#"], 413], [[], 422], [["1"] * 21, 422]):
        assert browser.post("/api/runs", json={"blocks": blocks}).status_code == status
    for _ in range(3):
        start(browser)
    answer = browser.post("/api/runs", json={"blocks": ["1"]})
    assert answer.status_code == 429
    assert "3 runs of yours have not ended" in answer.json()["error"]


def test_newcomers_are_counted_by_address(
    site: FastAPI, visitor: Callable[[], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site.state.newcomers, "times", 2)
    for _ in range(2):
        start(visitor())
    assert visitor().post("/api/runs", json={"blocks": ["1"]}).status_code == 429


def test_another_site_cannot_run_anything_here(browser: TestClient, engine: Engine) -> None:
    for path, body in (("/api/runs", {"blocks": ["1"]}), (f"/api/runs/{start(browser)}/stop", None)):
        answer = browser.post(path, json=body, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403
    assert len(runs.unfinished(engine)) == 1
