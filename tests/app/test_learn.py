from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.words import LANGUAGES
from judge.exercise import DEFAULT_ROOT, load_exercises
from judge.shelves import Shelves
from judge.verdict import Message, Status
from tests.app.conftest import HOSTILE, failing, judge, send

EXERCISES = load_exercises([DEFAULT_ROOT]).exercises


@pytest.mark.parametrize(("header", "lang"), [("zh-CN,zh;q=0.9", "zh"), ("ko-KR,ko;q=0.9", "ko"), ("fr", "en")])
def test_the_front_page_leads_to_a_language(browser: TestClient, header: str, lang: str) -> None:
    answer = browser.get("/", headers={"Accept-Language": header})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/{lang}/"


def test_the_language_is_remembered(browser: TestClient) -> None:
    browser.get("/zh/")
    assert browser.get("/", headers={"Accept-Language": "en"}).headers["location"] == "/zh/"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_course_lists_the_exercises_in_order(browser: TestClient, lang: str) -> None:
    page = browser.get(f"/{lang}/").text
    places = [page.index(f'/{lang}/exercises/{name}"') for name in EXERCISES]
    assert places == sorted(places)
    for exercise in EXERCISES.values():
        assert exercise.title(lang) in page


def test_the_course_shows_what_is_begun_and_passed(browser: TestClient, engine: Engine) -> None:
    assert "Begun" not in browser.get("/en/").text
    judge(engine, send(browser, "x = 1"), failing())
    page = browser.get("/en/").text
    assert "state--tried" in page
    assert "state--passed" not in page
    passed = failing().model_copy(update={"status": Status.PASSED})
    judge(engine, send(browser, "x = 2"), passed)
    judge(engine, send(browser, "x = 3"), failing())
    assert "state--passed" in browser.get("/en/").text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_page_has_all_the_learner_needs(browser: TestClient, name: str, lang: str) -> None:
    exercise = EXERCISES[name]
    page = browser.get(f"/{lang}/exercises/{name}").text
    assert page.count("<h1>") == 1
    assert page.count('class="hint"') == len(exercise.hints(lang))
    for other in set(LANGUAGES) - {lang}:
        assert f'hreflang="{other}" href="/{other}/exercises/{name}"' in page
        assert f'href="/{other}/exercises/{name}" lang="{other}" hreflang="{other}">{LANGUAGES[other]}</a>' in page
    assert f'action="/{lang}/exercises/{name}"' in page


def test_to_a_korean_reader_exercises_speak_english_and_say_so(browser: TestClient, engine: Engine) -> None:
    page = browser.get("/ko/exercises/clip").text
    assert "이 연습 문제의 글은 영어로 되어 있습니다." in page
    assert '<html lang="ko">' in page
    assert page.count('<div class="prose" lang="en">') == 1 + len(EXERCISES["clip"].hints())
    assert re.search('<p lang="en">.* trains a small network for 240 steps', page)
    assert f'<a class="row__title" lang="en" href="/ko/exercises/loop">{EXERCISES["loop"].title()}</a>' in (
        browser.get("/ko/").text
    )
    number = send(browser, "x = 1")
    own = Message(template="The file is nested too deeply to be read.")
    judge(engine, number, failing().model_copy(update={"message": own}))
    page = browser.get(f"/ko/submissions/{number}").text
    assert '<span class="check__title" lang="en">First title</span>' in page
    assert '<p class="check__message" lang="en">It raised' in page
    assert '<p class="diagnosis__sentence" lang="en">A sentence of diagnosis.</p>' in page
    assert re.search('<p class="verdict__message">[^<]*[가-힣]', page)  # the judge's own
    assert "검사 2개 중 1개를 통과하지 못했습니다" in page
    for lang in ("en", "zh"):
        assert '<div class="prose">' in browser.get(f"/{lang}/exercises/clip").text


def test_a_hunt_shows_its_symptom_before_the_task(browser: TestClient) -> None:
    for lang, label in (("en", "training loss"), ("zh", "训练 loss")):
        page = browser.get(f"/{lang}/exercises/hunt-1").text
        parts = [page.index(part) for part in ("<h1>", 'data-kind="lines"', "<h2>")]
        assert parts == sorted(parts)
        assert label in page  # without a script, the figure's data stand there as text
    assert 'data-kind="lines"' not in browser.get("/en/exercises/loop").text


def test_a_study_says_what_it_does_and_shows_what_it_runs(browser: TestClient) -> None:
    for lang, said in (("en", "trains a small network for 240 steps"), ("zh", "训练一个小网络 240 步")):
        page = browser.get(f"/{lang}/exercises/clip").text
        assert said in page
        assert "finite_or_none" in page
    assert "study" not in browser.get("/en/exercises/loop").text


@pytest.mark.parametrize("name", EXERCISES)
def test_no_page_shows_what_is_the_judge_s(browser: TestClient, engine: Engine, name: str) -> None:
    """Hidden tests, the reference, the mistakes and where files lie stay out of every page."""
    folder = DEFAULT_ROOT / name
    number = send(browser, "x = 1", name)
    judge(engine, number, failing().model_copy(update={"exercise": name}))
    addresses = ["", f"exercises/{name}", "submissions", f"submissions/{number}"]
    pages = [browser.get(f"/{lang}/{address}").text for lang in LANGUAGES for address in addresses]
    shown = "".join(pages) + browser.get(f"/api/submissions/{number}").text
    assert str(Path.cwd()) not in shown
    public = (folder / "test_sample.py").read_text() + (folder / "starter.py").read_text()
    public += "".join(path.read_text() for path in [*folder.glob("*.md"), *folder.glob("study.py")])
    for secret in ("test_hidden.py", "solution.py", "probe.py"):
        for line in (folder / secret).read_text().splitlines():
            words = re.sub(r"[^\w ]", " ", line).split()
            if len(words) > 6 and line.strip() not in public:
                assert line.strip() not in shown
    for mistake in EXERCISES[name].mistakes.values():
        assert mistake.sentence not in shown


def test_unknown_pages_say_so(browser: TestClient) -> None:
    for path in ("/en/nothing", "/en/exercises/nothing", "/de/", "/en/submissions/0", "/en/submissions/x"):
        answer = browser.get(path)
        assert answer.status_code == 404, path
        assert "<h1" in answer.text
    assert "没有这个名字的练习" in browser.get("/zh/exercises/nothing").text
    for number in (2**70, -(2**70), 2**31, -1):
        for path in (f"/zh/submissions/{number}", f"/api/submissions/{number}", f"/api/submissions/{number}/events"):
            assert browser.get(path).status_code == 404


def test_what_a_learner_s_program_made_is_shown_as_text(browser: TestClient, engine: Engine) -> None:
    number = send(browser, f"# {HOSTILE}")
    judge(engine, number, failing(prints=HOSTILE))
    for path in (f"/en/submissions/{number}", "/en/exercises/loop"):
        page = browser.get(path).text
        # The field of the form holds the code as it is, so that it can be sent again.
        page = re.sub(r"<textarea.*?</textarea>|<script.*?</script>", "", page, flags=re.DOTALL)
        assert "alert(1)" in page
        assert "<script>alert" not in page
        for unseen in "\x1b\u202e\x00":
            assert unseen not in page
        assert r"\x1b[31mred" in page
        assert r"\u202e" in page


def test_the_submission_page_shows_the_verdict(browser: TestClient, engine: Engine) -> None:
    number = send(browser, "import torch\nx = 41")
    waiting = browser.get(f"/en/submissions/{number}").text
    assert "number 1 in the queue" in waiting
    assert 'http-equiv="refresh"' in waiting
    judge(engine, number, failing(prints="a line that was printed"))
    page = browser.get(f"/en/submissions/{number}").text
    for sentence in ("1 of 2 checks did not pass", "A sentence of diagnosis.", "Second title", "It raised"):
        assert sentence in page
    assert "a line that was printed" in page
    assert "41" in page
    assert 'http-equiv="refresh"' not in page
    assert "2 项检查中有 1 项未通过" in browser.get(f"/zh/submissions/{number}").text


def test_the_exercise_page_brings_back_the_last_code_and_verdict(browser: TestClient, engine: Engine) -> None:
    judge(engine, send(browser, "first = 1"), failing())
    judge(engine, send(browser, "second = 2"), failing())
    page = browser.get("/en/exercises/loop").text
    assert "second = 2" in page
    assert "first = 1" not in page
    assert "A sentence of diagnosis." in page


def test_a_submission_is_its_learner_s_alone(
    browser: TestClient, visitor: Callable[[], TestClient], engine: Engine
) -> None:
    number = send(browser, "mine = 1")
    judge(engine, number, failing())
    other = visitor()
    for path in (f"/en/submissions/{number}", f"/api/submissions/{number}", f"/api/submissions/{number}/events"):
        assert other.get(path).status_code == 404
    assert "mine" not in other.get("/en/exercises/loop").text
    assert f"/submissions/{number}" not in other.get("/en/submissions").text
    assert f"/submissions/{number}" in browser.get("/en/submissions").text


def test_a_submission_outlives_its_exercise(browser: TestClient, engine: Engine) -> None:
    number = send(browser, "mine = 1")
    judge(engine, number, failing())
    browser.app.state.shelves = Shelves([])  # type: ignore[attr-defined]
    assert "A sentence of diagnosis." in browser.get(f"/en/submissions/{number}").text
    assert "loop" in browser.get("/en/submissions").text
    assert "no exercises here yet" in browser.get("/en/").text


def test_the_chosen_theme_is_kept_by_the_server(browser: TestClient) -> None:
    assert "data-theme" not in browser.get("/en/").text
    browser.cookies.set("theme", "dark")
    assert 'data-theme="dark"' in browser.get("/en/").text
    browser.cookies.set("theme", "plaid")
    assert "data-theme" not in browser.get("/en/").text
