"""What the site does when a part of the machine fails. `docs/faults.md` has the whole list."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app import main
from app.instructor import key
from app.main import create_app
from app.settings import Settings
from app.throttle import Throttle
from judge import store, tables
from judge.exercise import DEFAULT_ROOT
from judge.shelves import Shelves
from tests.app.conftest import SECRET, failing, judge, send
from tests.conftest import SmallDisk

SENTENCES = {"en": "Keep your code and try again in a minute.", "zh": "请保留你的代码，一分钟后再试。"}
PAGES = ["/en/exercises/loop", "/en/chapter", "/zh/search?q=loop"]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "PATIENCE_S", 0.3)


def assert_refused_for_now(browser: TestClient) -> None:
    for lang, sentence in SENTENCES.items():
        answer = browser.post(f"/api/exercises/loop/submissions?lang={lang}", json={"source": "x = 2"})
        assert (answer.status_code, sentence in answer.json()["error"]) == (503, True), answer.text
        page = browser.post(f"/{lang}/exercises/loop", data={"source": "x = 2"})
        assert (page.status_code, sentence in page.text) == (503, True)


def assert_readable(browser: TestClient, number: int) -> None:
    for page in [*PAGES, f"/en/submissions/{number}", f"/api/submissions/{number}"]:
        assert browser.get(page).status_code == 200, page


class Locked:
    """Another process's connection, which holds a database's write lock."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        self._connection.close()


def test_a_locked_database_refuses_submissions_and_shows_pages(
    browser: TestClient, visitor: Callable[[], TestClient], engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    number = send(browser, "x = 'a secret of the learner'")
    with closing(Locked(Path(str(engine.url.database)))):
        assert_refused_for_now(browser)
        assert_readable(browser, number)
        newcomer = visitor()
        assert newcomer.get("/en/exercises/loop").status_code == 200
        assert_refused_for_now(newcomer)
    assert "x = 2" not in caplog.text
    assert send(browser, "x = 3") == number + 1


def test_who_reads_does_not_wait_for_those_who_wait_for_a_lock(engine: Engine) -> None:
    held = [engine.connect() for _ in range(40)]  # as many as the site has threads
    for connection in held:
        connection.close()


def test_a_locked_queue_keeps_nobody_waiting(browser: TestClient, engine: Engine) -> None:
    with closing(Locked(Path(str(engine.url.database)).with_suffix(".queue.sqlite"))):
        number = send(browser, "x = 1")
        assert_readable(browser, number)


@pytest.fixture
def site_on_a_small_disk(migrated: Path, shelves: Shelves, small_disk: SmallDisk) -> Iterator[FastAPI]:
    shutil.copytree(migrated, small_disk.path / "database")
    site = create_app(Settings(f"sqlite:///{small_disk.path}/database/five_lines.sqlite", (DEFAULT_ROOT,), SECRET))
    site.state.shelves = shelves
    return site


def test_a_full_disk_refuses_submissions_and_keeps_what_was_accepted(
    site_on_a_small_disk: FastAPI, small_disk: SmallDisk
) -> None:
    with TestClient(site_on_a_small_disk, follow_redirects=False) as browser:
        number = send(browser, "x = 1")
        small_disk.fill()
        assert_refused_for_now(browser)
        assert_readable(browser, number)
        small_disk.empty()
        assert send(browser, "x = 3") == number + 1
    kept = store.get_submission(site_on_a_small_disk.state.engine, number)
    assert kept is not None
    assert kept.source == b"x = 1"


@pytest.mark.parametrize("jump_s", [3600, -3600])
def test_a_clock_that_jumps_locks_nobody_out(
    site: FastAPI, visitor: Callable[[], TestClient], engine: Engine, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    site.state.newcomers = Throttle(3)
    learner, instructor = visitor(), visitor()
    instructor.get(f"/en/teach?key={key(SECRET)}")
    number = send(learner, "x = 1")
    clock, now = time.time, tables.now
    monkeypatch.setattr(time, "time", lambda: clock() + jump_s)
    monkeypatch.setattr(store, "now", lambda: now() + timedelta(seconds=jump_s))
    monkeypatch.setattr("app.instructor.datetime", Clock(jump_s))
    assert instructor.get("/en/teach").status_code == 200
    assert send(learner, "x = 2") == number + 1
    assert [store.position(engine, id_) for id_ in (number, number + 1)] == [1, 2]
    assert send(visitor(), "x = 3") == number + 2
    judge(engine, number, failing())
    assert "finished" in learner.get(f"/api/submissions/{number}/events").text


class Clock:
    """`datetime` on a machine whose clock has jumped."""

    def __init__(self, jump_s: float) -> None:
        self._jump = timedelta(seconds=jump_s)

    def now(self, zone: tzinfo) -> datetime:
        return datetime.now(zone) + self._jump
