"""The preview as an instructor uses it: one real run of the command, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.rehearsal import Outcome, Program, Rehearsal, outcome
from judge import store
from judge.exercise import Mistake
from judge.shelves import Shelves
from judge.verdict import Diagnosis, Status, Verdict
from tests import processes

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 200  # a worker warms up first, and machines under load take their time


def command(folder: Path, *words: str) -> subprocess.Popen[str]:
    """`judge.py preview`, from a folder elsewhere."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "judge.py"), "preview", *words],
        cwd=folder.parent,
        env=os.environ | {"FIVE_LINES_EXERCISES": str(folder.parent), "TMPDIR": str(folder.parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def news(address: str, *, lang: str = "en") -> Iterator[dict[str, str]]:
    """What the page hears."""
    with httpx2.stream("GET", f"{address}/api/preview/events?lang={lang}", timeout=PATIENCE_S) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def heard(address: str, enough: Callable[[dict[str, str]], bool], *, lang: str = "en") -> list[dict[str, str]]:
    """All news up to what is enough."""
    found = []
    for item in news(address, lang=lang):
        found.append(item)
        if enough(item):
            break
    return found


def test_a_preview_follows_its_folder(demo_folder: Path) -> None:
    preview = command(demo_folder, "demo", "--port", "0", "--lang", "zh")
    try:
        assert preview.stdout is not None
        link = preview.stdout.readline().split()[-1]
        assert link.endswith("/zh/exercises/demo")
        address = link.removesuffix("/zh/exercises/demo")
        page = httpx2.get(link, timeout=60)
        assert "'unsafe" not in page.headers["content-security-policy"]
        assert "preview.js" in page.text
        assert "/zh/preview" in page.text

        rows: dict[str, str] = {}
        for item in news(address):
            if "program" in item:
                rows[item["program"]] = item["html"]
            if len(rows) == 9:
                break
        first = item["version"]
        assert item["count"] == "9 of 9 as they should be"
        assert "Recognised" in rows["wrong/skips_first__by_slicing.py"]
        assert "begins with the second item" in rows["wrong/skips_first__by_slicing.py"]
        assert "checks did not pass" in rows["wrong/skips_first__by_slicing.py"]
        assert "check--failed" in rows["wrong/skips_first__by_slicing.py"]
        assert "Passes" in rows["correct/by_hand.py"]
        assert "Does not pass yet" in rows["starter.py"]
        shown = httpx2.get(f"{address}/zh/preview", timeout=60).text
        assert shown.count("data-judged") == 9
        assert "认出了" in shown

        # A program that is right is taken for wrong by nobody.
        (demo_folder / "wrong" / "adds.py").write_text(
            f'"""Nothing is wrong."""\n{(demo_folder / "solution.py").read_text()}'
        )
        changed = heard(address, lambda item: item.get("program") == "wrong/adds.py" and item["version"] != first)
        assert "Passes, and is wrong" in changed[-1]["html"]

        # Broken, it says so on every page, and keeps what it showed.
        second = changed[-1]["version"]
        (demo_folder / "statement.zh.md").write_text("no title\n")
        heard(address, lambda item: item["version"] != second)
        for path in ("/zh/exercises/demo", "/en/preview"):
            page = httpx2.get(address + path, timeout=60)
            assert page.status_code == 200
            assert "demo/statement.zh.md" in page.text
            assert "the first line must be the title" in page.text
        started = processes.below(preview.pid)
    finally:
        preview.send_signal(signal.SIGINT)
        preview.communicate(timeout=60)
    assert preview.returncode == 0
    assert processes.eventually(lambda: not any(processes.alive(pid) for pid in started))
    assert list(demo_folder.parents[1].glob("five-lines-*")) == []


def test_what_a_preview_refuses(demo_folder: Path) -> None:
    unknown = command(demo_folder, "nothing")
    assert "there is no exercise 'nothing'; there are: demo" in unknown.communicate(timeout=60)[1]
    assert unknown.returncode == 2
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        late = command(demo_folder, "demo", "--port", port)
        assert f"port {port}: Address already in use" in late.communicate(timeout=60)[1]
        assert late.returncode == 2


def test_a_folder_that_never_was_good_says_why(site: FastAPI, browser: TestClient, demo_folder: Path) -> None:
    title = (demo_folder / "statement.en.md").read_text()
    (demo_folder / "statement.en.md").write_text("no title\n")
    site.state.shelves = Shelves([demo_folder.parent], rest_s=0)
    site.state.preview = Rehearsal("demo", site.state.shelves, site.state.engine, site.state.queue)
    site.state.preview._look()
    page = browser.get("/en/exercises/demo")
    assert page.status_code == 404
    assert "demo/statement.en.md" in page.text
    assert "preview.js" in page.text
    (demo_folder / "statement.en.md").write_text(title)
    site.state.preview._look()
    assert site.state.preview.round.problem is None
    assert len(site.state.preview.round.programs) == 9
    assert browser.get("/en/exercises/demo").status_code == 200


def test_a_program_that_cannot_be_handed_in_waits_on(
    site: FastAPI, demo_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.state.shelves = Shelves([demo_folder.parent], rest_s=0)
    rehearsal = Rehearsal("demo", site.state.shelves, site.state.engine, site.state.queue)
    rehearsal._look()
    first = rehearsal._waiting[0]

    def refuses(*_: object) -> int:
        raise store.QueueFull

    with monkeypatch.context() as patch:
        patch.setattr(store, "submit", refuses)
        with pytest.raises(store.QueueFull):
            rehearsal._hand_in()
    rehearsal._hand_in()
    assert first in rehearsal._in_hand.values()


def test_a_preview_leaves_the_cookie_of_a_site_at_another_port_alone(
    site: FastAPI, browser: TestClient, demo_folder: Path
) -> None:
    """Browsers do not tell ports apart: its learner would take the place of the site's, with all that they sent."""
    browser.get("/en/")
    learner = browser.cookies["learner"]
    site.state.shelves = Shelves([demo_folder.parent], rest_s=0)
    site.state.preview = Rehearsal("demo", site.state.shelves, site.state.engine, site.state.queue)
    site.state.preview._look()
    given = browser.get("/en/exercises/demo").headers.get_list("set-cookie")
    assert not any(cookie.startswith(("learner=", "instructor=")) for cookie in given)
    assert browser.cookies["learner"] == learner
    assert "preview-learner" in browser.cookies


def verdict(status: Status, *mistakes: str) -> Verdict:
    diagnoses = [Diagnosis(mistake=name, sentence="", checks=[]) for name in mistakes]
    return Verdict(exercise="demo", exercise_hash="", status=status, diagnoses=diagnoses, seed=1, duration_ms=1)


ADDS = Program("wrong/adds.py", "", Mistake("adds", "It adds.", ()))
RIGHT = Program("correct/by_hand.py", "", right=True)
STARTER = Program("starter.py", "")


@pytest.mark.parametrize(
    ("program", "judged", "expected"),
    [
        (ADDS, verdict(Status.FAILED, "adds"), Outcome(True, "Recognised")),
        (ADDS, verdict(Status.FAILED, "other"), Outcome(False, "Taken for {mistakes}", "other")),
        (ADDS, verdict(Status.FAILED, "other", "adds"), Outcome(False, "Taken for {mistakes}", "adds, other")),
        (ADDS, verdict(Status.FAILED), Outcome(False, "Not recognised")),
        (ADDS, verdict(Status.PASSED), Outcome(False, "Passes, and is wrong")),
        (ADDS, verdict(Status.FAULT), Outcome(False, "The judge broke")),
        (RIGHT, verdict(Status.PASSED), Outcome(True, "Passes")),
        (RIGHT, verdict(Status.FAILED), Outcome(False, "Does not pass, and is right")),
        (STARTER, verdict(Status.FAILED, "adds"), Outcome(True, "Does not pass yet")),
        (STARTER, verdict(Status.PASSED), Outcome(False, "Passes, and is wrong")),
    ],
)
def test_how_a_program_came_out(program: Program, judged: Verdict, expected: Outcome) -> None:
    assert outcome(program, judged) == expected
