from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from fastapi import FastAPI
from itsdangerous import URLSafeSerializer
from sqlalchemy import Engine
from sqlmodel import Session, func, select
from starlette.testclient import TestClient

from app.throttle import Throttle
from judge import store, tables
from tests.app.conftest import send


def learners(engine: Engine) -> int:
    with Session(engine) as session:
        return session.scalar(select(func.count()).select_from(tables.Learner)) or 0


def test_the_first_visit_gives_a_cookie_and_writes_nothing(browser: TestClient, engine: Engine) -> None:
    cookies = browser.get("/en/").headers.get_list("set-cookie")
    (cookie,) = [cookie for cookie in cookies if cookie.startswith("learner=")]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    for path in ("/en/exercises/loop", "/en/submissions", "/api/submissions/1"):
        browser.get(path)
    assert learners(engine) == 0


def test_who_sends_something_is_kept_under_the_id_of_the_first_visit(browser: TestClient, engine: Engine) -> None:
    browser.get("/en/")
    cookie = browser.cookies["learner"]
    with ThreadPoolExecutor(3) as pool:
        numbers = list(pool.map(lambda _: send(browser, "x = 1"), range(3)))
    assert browser.cookies["learner"] == cookie
    assert learners(engine) == 1
    assert all(browser.get(f"/en/submissions/{number}").status_code == 200 for number in numbers)


def test_over_https_the_cookie_is_secure_and_this_host_s_alone(site: FastAPI) -> None:
    with TestClient(site, base_url="https://testserver") as browser:
        cookies = browser.get("/en/").headers.get_list("set-cookie")
        (cookie,) = [cookie for cookie in cookies if "learner" in cookie]
        assert cookie.startswith("__Host-learner=")
        assert "Secure" in cookie
        assert "Path=/;" in cookie
        assert "Domain" not in cookie
        number = send(browser, "x = 1")
        assert browser.get(f"/en/submissions/{number}").status_code == 200
        # A neighbouring name can set the plain one.
        browser.cookies.set("learner", browser.cookies.pop("__Host-learner"))
        assert browser.get(f"/en/submissions/{number}").status_code == 404


def test_the_learner_stays_the_same(browser: TestClient) -> None:
    browser.get("/en/")
    number = send(browser, "x = 1")
    assert browser.get(f"/en/submissions/{number}").status_code == 200
    assert browser.get("/zh/").status_code == 200
    assert browser.get(f"/zh/submissions/{number}").status_code == 200


def test_a_forged_cookie_is_nobody_s(browser: TestClient, visitor: Callable[[], TestClient]) -> None:
    number = send(browser, "x = 1")
    own = browser.cookies["learner"]
    for forged in ("1", "MQ", own + "x", own.replace(".", ".x"), "", "é"):
        thief = visitor()
        answer = thief.get(f"/en/submissions/{number}", headers={"Cookie": f"learner={forged}".encode()})
        assert answer.status_code == 404


def test_a_learner_no_longer_known_is_taken_in_again(browser: TestClient, site: FastAPI, engine: Engine) -> None:
    gone = URLSafeSerializer(site.state.settings.secret, salt="learner").dumps(12345)
    browser.cookies.set("learner", str(gone))
    number = send(browser, "x = 1")
    assert store.has_learner(engine, 12345)
    assert browser.get(f"/en/submissions/{number}").status_code == 200


def test_newcomers_of_one_address_are_counted(site: FastAPI, visitor: Callable[[], TestClient], engine: Engine) -> None:
    site.state.newcomers = Throttle(2)
    known = visitor()
    send(known, "x = 1")
    send(visitor(), "x = 1")
    send(known, "x = 2")  # known by its cookie
    refused = visitor().post("/en/exercises/loop", content="source=x")
    assert refused.status_code == 429
    assert "Wait a minute" in refused.text
    assert visitor().get("/en/exercises/loop").status_code == 200  # who reads is not counted
    assert learners(engine) == 2


def test_what_is_sent_is_counted(site: FastAPI, visitor: Callable[[], TestClient]) -> None:
    def sends(browser: TestClient) -> list[int]:
        paths = ["/api/exercises/loop/submissions", "/api/runs"]
        bodies: list[dict[str, object]] = [{"source": "x = 1"}, {"blocks": ["1"]}]
        return [browser.post(path, json=body).status_code for path, body in zip(paths, bodies, strict=True)]

    site.state.sends = Throttle(2)
    eager = visitor()
    assert sends(eager) == [201, 201]
    assert sends(eager) == [429, 429]
    assert sends(visitor()) == [201, 201]  # of the same address
    assert "sent very much" in eager.post("/api/runs", json={"blocks": ["1"]}).json()["error"]
