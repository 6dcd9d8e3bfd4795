"""The site on a database of its own, with the real exercises and without a worker."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from judge import store
from judge.exercise import DEFAULT_ROOT
from judge.migrations import migrate
from judge.shelves import Shelves
from judge.verdict import CheckResult, CheckTitle, Diagnosis, Figure, Message, Started, Status, Verdict

SECRET = "a secret for tests, long enough to sign with"
HOSTILE = "<script>alert(1)</script> \x1b[31mred\x1b[0m \u202eturned\x00"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("migrated")
    migrate(f"sqlite:///{folder}/five_lines.sqlite")
    return folder


@pytest.fixture(scope="session")
def shelves() -> Iterator[Shelves]:
    """The real exercises, read once."""
    shelves = Shelves([DEFAULT_ROOT])
    yield shelves
    shelves.close()


@pytest.fixture
def site(migrated: Path, shelves: Shelves, tmp_path: Path) -> FastAPI:
    shutil.copytree(migrated, tmp_path / "database")
    site = create_app(Settings(f"sqlite:///{tmp_path}/database/five_lines.sqlite", (DEFAULT_ROOT,), SECRET))
    site.state.shelves = shelves
    return site


@pytest.fixture
def engine(site: FastAPI) -> Engine:
    found: Engine = site.state.engine
    return found


@pytest.fixture
def visitor(site: FastAPI) -> Iterator[Callable[[], TestClient]]:
    """Makes browsers that do not know each other."""
    with TestClient(site) as first:  # opens and closes the site
        yield lambda: TestClient(site, cookies=None, follow_redirects=False)
    first.close()


@pytest.fixture
def browser(visitor: Callable[[], TestClient]) -> TestClient:
    return visitor()


def failing(prints: str = "") -> Verdict:
    """A verdict of `loop` with everything in it."""
    return Verdict(
        exercise="loop",
        exercise_hash="0",
        status=Status.ERROR,
        checks=[
            CheckResult(id="test_a", title="First title", status=Status.PASSED, duration_ms=1),
            CheckResult(
                id="test_b",
                title="Second title",
                status=Status.ERROR,
                message=Message(template="It raised {what}", values={"what": HOSTILE}),
                traceback=HOSTILE,
                duration_ms=2,
            ),
        ],
        diagnoses=[Diagnosis(mistake="no-zero-grad", sentence="A sentence of diagnosis.", checks=["test_b"])],
        figures=[Figure(check="test_b", kind="unknown", data={"name": HOSTILE})],
        prints=prints,
        seed=3,
        duration_ms=212.5,
    )


def judge(engine: Engine, submission_id: int, verdict: Verdict) -> None:
    """What a worker writes."""
    assert store.begin(engine, submission_id, 1) is not None
    titles = [CheckTitle(id=check.id, title=check.title) for check in verdict.checks]
    store.add_event(engine, submission_id, 1, Started(checks=titles))
    assert store.finish(engine, submission_id, 1, verdict)


def send(browser: TestClient, source: str, exercise: str = "loop") -> int:
    answer = browser.post(f"/api/exercises/{exercise}/submissions", json={"source": source})
    assert answer.status_code == 201, answer.text
    number: int = answer.json()["id"]
    return number
