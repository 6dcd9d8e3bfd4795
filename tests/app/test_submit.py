from __future__ import annotations

import json
from typing import cast

import pytest
from pydantic import JsonValue
from sqlalchemy import Engine
from starlette.testclient import TestClient

from judge import store
from tests.app.conftest import failing, judge, send

Event = dict[str, JsonValue]


def events(browser: TestClient, number: int, lang: str = "en", after: str = "") -> list[tuple[str, Event]]:
    """The whole stream: pairs of id and event."""
    headers = {"Last-Event-ID": after} if after else {}
    text = browser.get(f"/api/submissions/{number}/events?lang={lang}", headers=headers).text
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in fields:
            found.append((fields["id"], cast(Event, json.loads(fields["data"]))))
    return found


def test_a_solution_is_stored_and_queued(browser: TestClient, engine: Engine) -> None:
    answer = browser.post("/api/exercises/loop/submissions", json={"source": "x = 'ü'\r\n"})
    assert answer.status_code == 201
    assert answer.json()["position"] == 1
    submission = store.get_submission(engine, answer.json()["id"])
    assert submission is not None
    assert submission.source == "x = 'ü'\r\n".encode()
    assert submission.exercise == "loop"


def test_a_form_without_a_script_leads_to_the_submission(browser: TestClient, engine: Engine) -> None:
    answer = browser.post("/zh/exercises/loop", data={"source": "a = 1\r\nb = '+&'\r\n"})
    assert answer.status_code == 303
    location = answer.headers["location"]
    assert location.startswith("/zh/submissions/")
    submission = store.get_submission(engine, int(location.rpartition("/")[2]))
    assert submission is not None
    assert submission.source == b"a = 1\nb = '+&'\n"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_limits_are_said_in_the_reader_s_language(
    browser: TestClient, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(source: str, status: int, en: str, zh: str) -> None:
        answer = browser.post(f"/api/exercises/loop/submissions?lang={lang}", json={"source": source})
        assert answer.status_code == status
        assert {"en": en, "zh": zh}[lang] in answer.json()["error"]
        page = browser.post(f"/{lang}/exercises/loop", data={"source": source})
        assert page.status_code == status
        assert {"en": en, "zh": zh}[lang] in page.text

    refused("#" * (store.MAX_SOURCE_KIB * 1024 + 1), 413, "larger than 64 KiB", "超过 64 KiB")
    for _ in range(store.MAX_PENDING_PER_LEARNER):
        send(browser, "x = 1")
    refused("x = 1", 429, "You have 3 submissions waiting", "已有 3 份提交")
    monkeypatch.setattr(store, "MAX_QUEUE", 3)
    monkeypatch.setattr(store, "MAX_PENDING_PER_LEARNER", 9)
    refused("x = 1", 503, "Very many submissions", "提交非常多")


def test_a_source_of_64_kib_of_awkward_characters_gets_through(browser: TestClient) -> None:
    send(browser, "\x01" * (store.MAX_SOURCE_KIB * 1024))
    page = browser.post("/en/exercises/loop", data={"source": "é" * (store.MAX_SOURCE_KIB * 512)})
    assert page.status_code == 303


@pytest.mark.parametrize("body", ["", "[]", "{", '{"source": 3}', '{"source": null}', '{"code": "x"}', "\xff"])
def test_what_is_no_submission_is_refused(browser: TestClient, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = browser.post("/api/exercises/loop/submissions", content=body.encode("latin-1"), headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json() == {"error": "This request cannot be understood."}


def test_what_is_no_form_of_a_browser_is_refused(browser: TestClient) -> None:
    for body in (b"", b"code=x", b"source=%ff&" * 20, b"\xff", "source=%41é".encode()):
        assert browser.post("/en/exercises/loop", content=body).status_code == 422


def test_an_unknown_exercise_takes_nothing(browser: TestClient) -> None:
    answer = browser.post("/api/exercises/nothing/submissions?lang=zh", json={"source": ""})
    assert answer.status_code == 404
    assert answer.json() == {"error": "没有这个名字的练习。"}
    assert browser.post("/en/exercises/nothing", data={"source": ""}).status_code == 404


def test_a_lone_surrogate_is_stored_and_shown(browser: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    answer = browser.post("/api/exercises/loop/submissions", content=b'{"source": "\\ud800\\u0000"}', headers=headers)
    assert answer.status_code == 201
    number = answer.json()["id"]
    assert browser.get(f"/api/submissions/{number}").status_code == 200
    assert browser.get(f"/en/submissions/{number}").status_code == 200
    assert browser.get("/en/exercises/loop").status_code == 200


def test_the_state_of_a_submission(browser: TestClient, engine: Engine) -> None:
    number = send(browser, "x = 1")
    state = browser.get(f"/api/submissions/{number}").json()
    assert (state["state"], state["position"], state["verdict"]) == ("queued", 1, None)
    judge(engine, number, failing())
    state = browser.get(f"/api/submissions/{number}").json()
    assert (state["state"], state["position"]) == ("done", None)
    assert state["source"] == "x = 1"
    assert state["verdict"]["checks"][1]["message"].startswith("It raised ")
    assert state["verdict"]["diagnoses"][0]["mistake"] == "no-zero-grad"


def test_events_come_in_order_and_end(browser: TestClient, engine: Engine) -> None:
    number = send(browser, "x = 1")
    judge(engine, number, failing())
    found = events(browser, number)
    assert [event["event"] for _, event in found] == ["started", "finished"]
    assert "First title" in str(found[0][1]["html"])
    assert "A sentence of diagnosis." in str(found[1][1]["html"])
    assert "未通过" in str(events(browser, number, "zh")[1][1]["html"])
    started, finished = (str(event["html"]) for _, event in events(browser, number, "ko"))
    assert '<span class="check__title" lang="en">First title</span>' in started
    assert "통과하지 못했습니다" in finished


def test_a_browser_that_comes_back_gets_only_what_is_new(browser: TestClient, engine: Engine) -> None:
    number = send(browser, "x = 1")
    judge(engine, number, failing())
    (first, _), (last, _) = events(browser, number)
    assert [event["event"] for _, event in events(browser, number, after=first)] == ["finished"]
    for strange in ("7-1", "nonsense", "1-x", "-", f"1-{10**30}"):
        assert [event["event"] for _, event in events(browser, number, after=strange)] == ["started", "finished"]
    assert first != last


def test_no_event_carries_live_html(browser: TestClient, engine: Engine) -> None:
    number = send(browser, "x = 1")
    judge(engine, number, failing(prints="<img src=x>"))
    html = "".join(str(event["html"]) for _, event in events(browser, number))
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;img" in html
