"""The desk of an exercise and the frame around it: drafts, resetting, keyboard, themes, widths, names for readers."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.words import LANGUAGES
from judge.exercise import DEFAULT_ROOT, load_exercises
from tests.browser.test_submission import EDITOR, paste_code, written

COLLATE = load_exercises([DEFAULT_ROOT]).exercises["collate"]
NAMELESS = """[...document.querySelectorAll("a, button, summary, textarea, [role=textbox]")]
    .filter((one) => one.checkVisibility())
    .filter((one) => !(one.ariaLabel || one.labels?.[0]?.textContent || one.textContent.trim()))
    .map((one) => one.outerHTML)"""
PAGES = ["", "exercises/collate", "exercises/loop", "submissions", "nothing"]


def test_typed_code_survives_a_reload_for_each_exercise(page: Page) -> None:
    page.goto("/en/exercises/collate")
    page.click(EDITOR)
    page.keyboard.press("ControlOrMeta+Home")
    page.keyboard.type("# not sent yet")
    page.reload()
    assert written(page).startswith("# not sent yet")
    page.goto("/zh/exercises/collate")
    assert written(page).startswith("# not sent yet")
    page.goto("/en/exercises/loop")
    assert "not sent yet" not in written(page)


def test_another_learner_in_the_same_browser_sees_no_draft(page: Page, context: BrowserContext) -> None:
    page.goto("/en/exercises/collate")
    page.click(EDITOR)
    page.keyboard.type("# mine")
    context.clear_cookies()
    page.reload()
    assert "# mine" not in written(page)


def test_resetting_asks_first(page: Page) -> None:
    page.goto("/en/exercises/collate")
    paste_code(page, "mine = 1\n")
    page.click("#reset")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Enter")  # the safe answer has the focus
    expect(dialog).not_to_be_visible()
    assert written(page) == "mine = 1\n"
    page.click("#reset")
    page.keyboard.press("Escape")
    assert written(page) == "mine = 1\n"
    page.click("#reset")
    page.get_by_role("button", name="Replace it").click()
    assert written(page) == COLLATE.starter
    page.reload()
    assert written(page) == COLLATE.starter


def test_the_page_can_be_used_by_keyboard_and_left_again(page: Page) -> None:
    page.goto("/en/exercises/collate")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()

    editor = page.get_by_role("textbox", name="Your solution, in Python")
    editor.focus()
    help_id = editor.get_attribute("aria-describedby")
    assert "Escape" in page.locator(f"#{help_id}").inner_text()
    before = written(page)
    page.keyboard.press("Tab")
    expect(editor).to_be_focused()
    assert written(page) != before
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator("#submit")).to_be_focused()


def test_the_chosen_theme_stays(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/en/")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Switch between light and dark").click()
    dark = page.evaluate(background)
    assert dark != light
    page.goto("/zh/submissions")
    assert page.evaluate(background) == dark


def test_the_language_switch_stays_on_the_page(page: Page) -> None:
    page.goto("/en/exercises/collate")
    page.get_by_role("link", name="中文").click()
    expect(page).to_have_url("/zh/exercises/collate")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("h1")).to_have_text(COLLATE.title("zh"))


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_its_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for lang in LANGUAGES:
        for path in PAGES:
            page.goto(f"/{lang}/{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_headings_are_in_order_and_controls_have_names(page: Page) -> None:
    for path in PAGES:
        page.goto(f"/en/{path}")
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1]))")
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), path
        assert page.evaluate(NAMELESS) == [], path


def test_motion_is_reduced_when_asked_for(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/en/exercises/loop")
    name = """() => {
        const check = document.createElement("li");
        check.className = "check check--new";
        document.getElementById("results").append(check);
        return getComputedStyle(check).animationName;
    }"""
    assert page.evaluate(name) == "none"
