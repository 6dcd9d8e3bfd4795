"""The chapter's pages: complete in each language, joined to the exercises, light, and readable without a script."""

from __future__ import annotations

import functools
import gzip
import json
import re
from html import unescape

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.section import files, section
from chapter.read import LANGUAGES, ROOT, read
from judge.exercise import DEFAULT_ROOT, load_exercises
from judge.shelves import Shelves
from judge.verdict import Status
from tests.app.conftest import failing, judge, send

SLUGS = list(files())
EXERCISES = load_exercises([DEFAULT_ROOT]).exercises
LIMIT_KIB = 150


def visible(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_contents_lead_to_every_section_and_part(browser: TestClient, lang: str) -> None:
    page = browser.get(f"/{lang}/chapter").text
    places = [page.index(f'"/{lang}/chapter/{slug}"') for slug in SLUGS]
    assert places == sorted(places)
    for slug in SLUGS:
        for part in section(lang, slug).parts:
            assert f'"/{lang}/chapter/{slug}#{part.anchor}"' in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_have_the_whole_section(browser: TestClient, lang: str) -> None:
    for slug in SLUGS:
        page = browser.get(f"/{lang}/chapter/{slug}").text
        text = visible(page)
        written = read(lang, files()[slug])
        assert page.count("<h1>") == 1
        for block in written.blocks:
            assert block.code in text
            assert block.output in text
        assert page.count('<ul class="cards"') == len(written.practices)
        assert "style=" not in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_link_of_the_pages_leads_somewhere(browser: TestClient, lang: str) -> None:
    for slug in SLUGS:
        page = browser.get(f"/{lang}/chapter/{slug}").text
        ids = re.findall(r'\bid="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        for link in re.findall(r'<a [^>]*href="([^"]+)"', page):
            path, _, anchor = link.partition("#")
            if match := re.fullmatch(r"/(\w+)/chapter/([\w-]+)", path):
                assert not anchor or anchor in section(match[1], match[2]).anchors, link
            elif path == "":
                assert anchor in ids, link
            else:
                exercise = re.fullmatch(rf"/{lang}/exercises/(.+)", path)
                assert path in (f"/{lang}/", f"/{lang}/chapter", f"/{lang}/search", f"/{lang}/submissions") or (
                    exercise is not None and exercise[1] in EXERCISES
                ), link


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_are_light(browser: TestClient, lang: str) -> None:
    """With everything that comes with it, also what its figures fetch."""

    @functools.cache
    def fetched(path: str) -> bytes:
        return browser.get(path).content

    def with_imports(path: str) -> set[str]:
        """A script and all that it fetches to begin with."""
        imported = re.findall(r'^import .* from "\./([\w.]+)";$', fetched(path).decode(), re.MULTILINE)
        return {path}.union(*(with_imports(path.rpartition("/")[0] + "/" + name) for name in imported))

    for slug in SLUGS:
        page = browser.get(f"/{lang}/chapter/{slug}").text
        paths = set(re.findall(r'(?:src|data-data)="([^"]+)"', page))
        paths |= set(re.findall(r'<link rel="(?:stylesheet|icon)" href="([^"]+)"', page))
        paths = paths.union(*(with_imports(path) for path in paths if path.endswith(".js")))
        weight = sum(len(gzip.compress(fetched(path))) for path in paths) + len(gzip.compress(page.encode()))
        assert weight < LIMIT_KIB * 1024
        assert {path.rpartition("/")[2] for path in paths} >= {"blocks.js", "runs.js", "words.js", "site.css"}


def test_sections_follow_each_other(browser: TestClient) -> None:
    first, second, *_, last = SLUGS
    page = browser.get(f"/en/chapter/{first}").text
    assert f'rel="next" href="/en/chapter/{second}"' in page
    assert 'rel="prev"' not in page
    page = browser.get(f"/en/chapter/{last}").text
    assert 'rel="next"' not in page
    assert f'rel="prev" href="/en/chapter/{SLUGS[-2]}"' in page


def test_the_language_switch_stays_on_the_section(browser: TestClient) -> None:
    assert 'href="/zh/chapter/loop"' in browser.get("/en/chapter/loop").text
    assert 'href="/en/chapter"' in browser.get("/zh/chapter").text


def test_the_language_switch_keeps_what_was_searched_for(browser: TestClient) -> None:
    page = browser.get('/en/search?q=clip+%22norm"&x=1').text
    for lang in ("zh", "ko"):  # each as a link, and as a language of the page
        assert page.count(f'href="/{lang}/search?q=clip+%22norm%22&amp;x=1"') == 2
    assert 'href="/en/search"' in browser.get("/zh/search").text


def test_a_card_shows_how_far_the_learner_is(browser: TestClient, engine: Engine) -> None:
    def card() -> str:
        found = re.search(r'<li class="card">.*?</li>', browser.get("/en/chapter/loop").text, re.DOTALL)
        assert found is not None
        return visible(found[0])

    assert EXERCISES["loop"].title("en") in card()
    assert "easy" in card()
    assert "Not begun" in card()
    judge(engine, send(browser, "x = 1"), failing())
    assert "Begun" in card()
    judge(engine, send(browser, "x = 2"), failing().model_copy(update={"status": Status.PASSED}))
    assert "Passed" in card()


def test_an_exercise_that_does_not_exist_is_announced_without_a_link(browser: TestClient) -> None:
    browser.app.state.shelves = Shelves([])  # type: ignore[attr-defined]
    page = browser.get("/en/chapter/loop").text
    assert "/exercises/" not in page
    assert page.count("card--coming") == 3


def test_reading_makes_no_learner(browser: TestClient) -> None:
    browser.get("/en/chapter/loop")
    browser.get("/en/search?q=loop")
    assert "learner" not in browser.cookies


def test_a_forged_cookie_is_nobody_s(browser: TestClient) -> None:
    browser.cookies.set("learner", "1.forged")
    assert "Not begun" in browser.get("/en/chapter/loop").text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_exercise_leads_to_its_part_of_the_chapter(browser: TestClient, lang: str) -> None:
    assert f'href="/{lang}/chapter/data#collate"' in browser.get(f"/{lang}/exercises/collate").text


@pytest.mark.parametrize("path", ["nothing", "03-loop", "loop/more", "..%2Fread.py", "__init__"])
def test_there_are_no_other_sections(browser: TestClient, path: str) -> None:
    assert browser.get(f"/en/chapter/{path}").status_code == 404


def test_the_figures_have_their_data(browser: TestClient) -> None:
    page = browser.get("/en/chapter/loop").text
    paths = re.findall(r'data-data="([^"]+)"', page)
    for path, name in zip(paths, ["orders", "spiral"], strict=True):
        answer = browser.get(path)
        assert answer.json() == json.loads((ROOT / f"{name}.json").read_text())
        assert "immutable" in answer.headers["cache-control"]
    for path in ("/chapter/0/spiral.json", paths[0].replace("orders", "measured"), paths[0].replace("orders", "read")):
        assert browser.get(path).status_code == 404


def test_searching(browser: TestClient) -> None:
    page = browser.get("/en/search", params={"q": 'clip "><script>alert(1)</script>'}).text
    assert "<script>alert" not in page
    assert "Nothing in the chapter" in page
    assert 'href="/en/chapter/optimizer#clipping"' in browser.get("/en/search?q=clipping").text
    assert 'class="found"' not in browser.get("/en/search").text
    page = browser.get("/ko/search", params={"q": "clip"}).text
    assert re.search(
        r'"/ko/exercises/clip" lang="en">[^<]*</a></h2>\s*<p class="note">연습 문제</p>\s*<p lang="en">', page
    )
    assert '<a href="/ko/chapter/optimizer#clipping">' in page
    assert "<mark>裁剪</mark>" in browser.get("/zh/search", params={"q": "裁剪"}).text
    assert browser.get("/en/search", params={"q": "x" * 5000}).status_code == 200
