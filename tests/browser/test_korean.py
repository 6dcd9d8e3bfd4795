"""A Korean reader: the chapter and everything around an exercise in Korean, the exercise itself in English."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from chapter.read import read
from judge.exercise import DEFAULT_ROOT, load_exercises
from tests.browser.test_submission import NO_ZERO_GRAD, paste_code

LOOP = load_exercises([DEFAULT_ROOT]).exercises["loop"]
KOREAN = re.compile("[가-힣]")
# The languages of what holds each piece of text in an element: the nearest `lang` around it.
TEXTS = """(element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const { parentElement, data } = walker.currentNode;
        if (data.trim() && !parentElement.closest("code, pre, svg")) {
            found.push([parentElement.closest("[lang]").lang, data.trim()]);
        }
    }
    return found;
}"""


def texts(page: Page, selector: str) -> list[tuple[str, str]]:
    return [(lang, text) for lang, text in page.locator(selector).evaluate(TEXTS)]


def test_a_reader_goes_from_the_front_page_to_a_verdict(page: Page) -> None:
    page.set_extra_http_headers({"Accept-Language": "ko-KR,ko;q=0.9,en;q=0.5"})
    page.goto("/")
    expect(page).to_have_url("/ko/")
    page.get_by_role("link", name="본문 읽기").click()
    page.get_by_role("main").get_by_role("link", name=read("ko", "03-loop.md").title, exact=True).click()

    block = page.get_by_role("group", name="코드 블록 1", exact=True)
    block.get_by_role("button", name="실행").click()
    # The worker may be only starting, on a busy machine.
    expect(block.locator(".run__ended")).to_contain_text("본문과 똑같이 출력합니다.", timeout=180_000)
    assert block.get_by_role("log").inner_text() == read("ko", "03-loop.md").blocks[0].output

    page.locator(".card__title", has_text=LOOP.title()).first.click()
    expect(page).to_have_url("/ko/exercises/loop")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator("h1")).to_have_text(LOOP.title())
    expect(page.get_by_text("이 연습 문제의 글은 영어로 되어 있습니다.")).to_be_visible()
    paste_code(page, NO_ZERO_GRAD)
    page.get_by_role("button", name="제출").click()
    expect(page.locator(".diagnosis__sentence")).to_have_text(LOOP.mistakes["no-zero-grad"].sentence.replace("`", ""))
    expect(page.locator(".headline")).to_have_text(re.compile(r"검사 \d+개 중 \d+개를 통과하지 못했습니다"))
    expect(page.locator(".check--failed .check__status").first).to_have_text("아직 틀림")
    assert "검사" in page.locator("#said").inner_text()
    expect(page.locator('#said [lang="en"]')).to_have_text(LOOP.mistakes["no-zero-grad"].sentence.replace("`", ""))

    for selector in (".task", ".result"):
        for lang, text in texts(page, selector):
            assert (lang == "ko") == bool(KOREAN.search(text)) or not re.search("[a-z]{4}", text), (lang, text)


def test_what_the_judge_itself_says_is_korean(page: Page) -> None:
    page.goto("/ko/exercises/loop")
    paste_code(page, "def train_one_epoch(:\n")
    page.keyboard.press("ControlOrMeta+Enter")
    message = page.locator(".verdict__message")
    expect(message).to_have_text(KOREAN)
    assert message.evaluate("one => one.closest('[lang]').lang") == "ko"


@pytest.mark.parametrize("lang", ["en", "zh", "ko"])
def test_the_languages_stand_beside_the_name_on_a_phone(page: Page, lang: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"/{lang}/")
    tops = page.locator(".brand, .top__tools").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert max(tops) - min(tops) < 5
    page.locator("[data-language]").last.click()
    expect(page).to_have_url("/ko/" if lang != "ko" else "/zh/")
