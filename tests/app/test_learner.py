from __future__ import annotations

from collections.abc import Callable

from fastapi import FastAPI
from itsdangerous import URLSafeSerializer
from sqlalchemy import Engine
from sqlmodel import Session, func, select
from starlette.testclient import TestClient

from app.throttle import Throttle
from judge import tables
from tests.app.conftest import send


def test_the_first_visit_makes_a_learner(browser: TestClient) -> None:
    cookies = browser.get("/en/").headers.get_list("set-cookie")
    (cookie,) = [cookie for cookie in cookies if cookie.startswith("learner=")]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie


def test_over_https_the_cookie_is_secure(site: FastAPI) -> None:
    with TestClient(site, base_url="https://testserver") as browser:
        cookies = browser.get("/en/").headers.get_list("set-cookie")
    assert all("Secure" in cookie for cookie in cookies if cookie.startswith("learner="))


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


def test_a_learner_no_longer_known_becomes_a_new_one(browser: TestClient, site: FastAPI) -> None:
    gone = URLSafeSerializer(site.state.settings.secret, salt="learner").dumps(12345)
    answer = browser.get("/en/", headers={"Cookie": f"learner={gone}"})
    assert answer.status_code == 200
    assert browser.cookies["learner"] != gone


def test_newcomers_of_one_address_are_counted(site: FastAPI, browser: TestClient, engine: Engine) -> None:
    site.state.newcomers = Throttle(2)
    for _ in range(2):
        browser.cookies.clear()
        assert browser.get("/en/").status_code == 200
    assert browser.get("/en/").status_code == 200  # known by its cookie
    browser.cookies.clear()
    refused = browser.get("/en/exercises/loop")
    assert refused.status_code == 429
    assert "Wait a minute" in refused.text
    with Session(engine) as session:
        assert session.scalar(select(func.count()).select_from(tables.Learner)) == 2
