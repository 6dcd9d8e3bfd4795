"""What instructors see, and nobody else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from itsdangerous import URLSafeTimedSerializer
from starlette.testclient import TestClient

from app.__main__ import greeting
from app.instructor import MAX_AGE_S, key
from app.throttle import Throttle
from judge.shelves import Shelves
from tests.app.conftest import SECRET
from tests.conftest import CASES

BROKEN_LINE = "def broken(:\n"


@pytest.fixture
def root(site: FastAPI, tmp_path: Path) -> Path:
    """The site's exercises: `demo`, to be changed."""
    shutil.copytree(CASES / "demo", tmp_path / "exercises" / "demo")
    site.state.shelves = Shelves([tmp_path / "exercises"], rest_s=0)
    return tmp_path / "exercises"


@pytest.fixture
def instructor(root: Path, browser: TestClient) -> TestClient:
    browser.get(f"/en/teach?key={key(SECRET)}")
    return browser


def test_the_link_that_the_site_prints_makes_an_instructor(site: FastAPI, root: Path, browser: TestClient) -> None:
    link = greeting("", site.state.settings).partition("Instructors: ")[2]
    answer = browser.get(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/teach")
    (cookie,) = [cookie for cookie in answer.headers.get_list("set-cookie") if cookie.startswith("instructor=")]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    page = browser.get("/zh/teach")
    assert page.status_code == 200
    assert str(root / "demo") in page.text
    assert 'href="/en/teach"' in browser.get("/en/").text


def test_to_others_there_is_no_such_page(root: Path, browser: TestClient) -> None:
    unknown = browser.get("/en/teacher").text
    for query in ("", "?key=", "?key=guess", "?key=é", f"?key={key('another secret')}"):
        answer = browser.get(f"/en/teach{query}")
        assert answer.status_code == 404, query
        assert "instructor" not in browser.cookies
        assert answer.text.split("<main")[1] == unknown.split("<main")[1]
    assert "/teach" not in browser.get("/en/").text


def test_who_guesses_keys_is_not_listened_to(site: FastAPI, root: Path, visitor: Callable[[], TestClient]) -> None:
    site.state.wrong_keys = Throttle(3)
    instructor = visitor()
    instructor.get(f"/en/teach?key={key(SECRET)}")
    statuses = [visitor().get(f"/en/teach?key={guess}").status_code for guess in "abcd"]
    assert statuses == [404, 404, 404, 429]
    for lang, sentence in {"en": "Too many wrong keys", "zh": "错误的密钥太多"}.items():
        answer = visitor().get(f"/{lang}/teach?key=e")
        assert (answer.status_code, sentence in answer.text) == (429, True)
        assert "instructor" not in answer.cookies
    assert visitor().get("/en/teach").status_code == 404
    assert instructor.get("/en/teach").status_code == 200
    # Somebody else of the same address is not kept out by who guesses.
    assert visitor().get(f"/en/teach?key={key(SECRET)}").status_code == 303


def test_the_right_key_counts_as_no_guess(site: FastAPI, root: Path, visitor: Callable[[], TestClient]) -> None:
    site.state.wrong_keys = Throttle(1)
    for _ in range(3):
        assert visitor().get(f"/en/teach?key={key(SECRET)}").status_code == 303


def test_keys_are_compared_in_constant_time(root: Path, browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(given: bytes, right: bytes) -> bool:
        compared.append(right)
        return given == right

    monkeypatch.setattr("hmac.compare_digest", compare)
    for secret, status in {"another secret": 404, SECRET: 303}.items():
        assert browser.get(f"/en/teach?key={key(secret)}").status_code == status
    assert len(compared) >= 2


def test_forged_and_old_cookies_are_nobody_s(root: Path, browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for forged in ("", "1", "instructor", key(SECRET), "é"):
        answer = browser.get("/en/teach", headers={"Cookie": f"instructor={forged}".encode()})
        assert answer.status_code == 404
    signer = URLSafeTimedSerializer(SECRET, salt="instructor")
    cookie = {"Cookie": f"instructor={signer.dumps('instructor')}"}
    assert browser.get("/en/teach", headers=cookie).status_code == 200
    monkeypatch.setattr("app.instructor.MAX_AGE_S", -1)
    assert MAX_AGE_S > 0
    assert browser.get("/en/teach", headers=cookie).status_code == 404


def test_a_broken_folder_is_shown_to_instructors_alone(
    root: Path, instructor: TestClient, visitor: Callable[[], TestClient]
) -> None:
    addresses = ["/en/", "/en/exercises/demo", "/zh/", "/zh/exercises/demo"]
    learner = visitor()
    before = [learner.get(address).text.split("<main")[1] for address in addresses]
    (root / "demo" / "probe.py").write_text(BROKEN_LINE)
    (root / "unborn").mkdir()
    for address in [*addresses, "/en/teach", "/zh/teach"]:
        page = instructor.get(address).text
        assert "demo/probe.py" in page
        assert "line 1: not valid Python" in page
    desk = instructor.get("/en/teach").text
    assert "Learners see the version of 20" in desk
    assert "Learners do not see it." in desk
    assert "unborn/exercise.toml" in desk
    for address, page in zip(addresses, before, strict=True):
        shown = learner.get(address).text
        assert "probe.py" not in shown
        assert "teach" not in shown
        assert str(root) not in shown
        if address.endswith("/"):
            assert shown.split("<main")[1] == page


def test_a_new_exercise_is_there_without_a_restart(root: Path, browser: TestClient) -> None:
    shutil.copytree(CASES / "target", root / "target")
    assert "/en/exercises/target" in browser.get("/en/").text
    assert browser.get("/zh/exercises/target").status_code == 200
    (root / "target" / "statement.en.md").write_text("# Renamed\n")
    assert "Renamed" in browser.get("/en/exercises/target").text
    shutil.rmtree(root / "target")
    assert browser.get("/en/exercises/target").status_code == 404
