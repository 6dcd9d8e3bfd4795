"""The chapter in a browser: the moving figures, copying, the kept place, widths, and all of it without a script."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from app.words import LANGUAGES
from chapter.read import ROOT
from tests.browser.test_desk import NAMELESS

ORDERS = json.loads((ROOT / "orders.json").read_text())["orders"]
PATHS = ["chapter", "chapter/loop", "chapter/crib-sheet", "search?q=clip"]
WITHOUT_ERROR = ("no_gradient", "late", "piles_up", "not_clipped")
CUT_OFF = """[...document.querySelectorAll(".table--stacks td")]
    .filter((cell) => {
        const name = document.createElement("span");
        name.textContent = cell.dataset.column;
        name.style.cssText = "display: block; width: 8.5rem; position: absolute; visibility: hidden";
        cell.append(name);
        const needed = name.offsetHeight;
        name.remove();
        return cell.clientHeight < needed;
    })
    .map((cell) => cell.textContent)"""
TRACE = """async (orders) => {
    const { trace } = await import(document.querySelector('script[src$="/orders.js"]').src);
    return orders.map((order) => trace(order.split(" ")));
}"""
UNPACKED = """async (frames) => {
    const { src } = document.querySelector('script[src$="/spiral.js"]');
    const { unpacked } = await import(src.replace("spiral.js", "regions.js"));
    return unpacked(frames);
}"""


def unpacked_by_hand(frames: list[str]) -> list[str]:
    """The same as `chapter.spiral.unpacked`, which would bring torch along."""
    whole: list[str] = []
    for frame in frames:
        flat = ""
        letters = [*frame, "."]
        while len(letters) > 1:
            letter, digits = letters.pop(0), ""
            while letters[0].isdigit():
                digits += letters.pop(0)
            flat += letter * int(digits or 1)
        whole.append("".join(whole[-1][i] if c == "." else c for i, c in enumerate(flat)) if whole else flat)
    return whole


def open_figure(page: Page, name: str, path: str = "/en/chapter/loop") -> None:
    page.goto(path)
    page.locator(f"#figure-{name}").scroll_into_view_if_needed()
    page.wait_for_selector(f"#figure-{name} .controls")


def lines(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all(".score__lines li", "rows => rows.map(row => row.dataset.line)")
    return found


def test_moving_a_line_by_keyboard_shows_what_breaks(page: Page) -> None:
    open_figure(page, "orders")
    verdict = page.locator(".score__verdict")
    expect(verdict).to_have_attribute("data-kind", "right")
    down = page.get_by_role("button", name="Move optimizer.zero_grad() down")
    down.focus()
    page.keyboard.press("Enter")
    expect(down).to_be_focused()
    assert lines(page) == ["forward", "backward", "zero", "clip", "step"]
    expect(verdict).to_have_attribute("data-kind", "silent")
    expect(verdict).to_contain_text("nothing ever moves")
    expect(page.locator(".score__lines .broken")).to_have_attribute("data-line", "step")
    top_of = "line => line.getBoundingClientRect().top"
    tops = [page.locator(f".score__lines [data-line={line}]").evaluate(top_of) for line in lines(page)]
    steps = {after - before for before, after in itertools.pairwise(tops)}
    assert len(steps) == 1  # as the drawn way beside them: the broken line stands where the others do
    page.get_by_role("button", name="The right order").click()
    expect(verdict).to_have_attribute("data-kind", "right")
    page.get_by_role("button", name="Move loss = loss_fn(model(x), y) up").press("Enter")  # it is the first
    assert lines(page) == ["forward", "zero", "backward", "clip", "step"]


def test_dragging_a_line_shows_what_breaks(page: Page) -> None:
    open_figure(page, "orders")
    step = page.locator("[data-line=step]").bounding_box()
    first = page.locator("[data-line=forward]").bounding_box()
    assert step is not None
    assert first is not None
    page.mouse.move(step["x"] + 60, step["y"] + 26)
    page.mouse.down()
    for part in range(1, 11):
        page.mouse.move(step["x"] + 60, step["y"] + 26 + (first["y"] - step["y"]) * part / 10)
    page.mouse.up()
    assert lines(page) == ["step", "forward", "zero", "backward", "clip"]
    expect(page.locator(".score__verdict")).to_have_attribute(
        "data-kind", "silent" if ORDERS["step forward zero backward clip"] in WITHOUT_ERROR else "right"
    )


def test_the_drawn_way_ends_as_the_order_does(page: Page) -> None:
    page.goto("/en/chapter/loop")
    ways = page.evaluate(TRACE, list(ORDERS))
    for (order, finding), way in zip(ORDERS.items(), ways, strict=True):
        broken = [row["line"] for row in way["rows"] if row["broken"]]
        if "clip" not in order:
            continue  # what is never clipped is broken by leaving the line out, not by the way
        assert way["stopped"] == (finding in ("no_loss", "weights_changed")), order
        assert broken == ([] if finding == "right" else ["backward"] if way["stopped"] else ["step"]), order
        state = next((row["state"] for row in way["rows"] if row["line"] == "step" and not way["stopped"]), None)
        expected = {
            "right": "clipped",
            "not_clipped": "fresh",
            "late": "stale",
            "piles_up": "stale",
            "no_gradient": "empty",
        }
        assert way["stopped"] or state == expected[finding], order


def test_frames_are_read_as_they_were_written(page: Page) -> None:
    frames = json.loads((ROOT / "spiral.json").read_text())["runs"]["no_zero_grad"]["frames"]
    page.goto("/en/chapter/loop")
    assert page.evaluate(UNPACKED, frames) == unpacked_by_hand(frames)


def test_the_animation_plays_stops_and_steps(page: Page) -> None:
    open_figure(page, "spiral")
    said = page.locator(".plane__said")
    expect(said.first).to_contain_text("Epoch 36: 99 %")
    page.get_by_label("Speed").select_option("½×")  # a busy machine looks at it rarely
    page.get_by_role("button", name="Play").click()
    expect(said.first).to_contain_text(re.compile(r"Epoch ([2-9]|[12]\d):"))
    page.get_by_role("button", name="Pause").click()
    before = said.first.inner_text()
    page.get_by_role("button", name="One epoch on").click()
    assert said.first.inner_text() != before
    slider = page.get_by_role("slider", name="Epoch")
    slider.focus()
    page.keyboard.press("Home")
    expect(said.first).to_contain_text("Epoch 0")
    expect(slider).to_have_attribute("aria-valuetext", "Epoch 0 of 36")
    page.keyboard.press("End")
    page.get_by_label("Beside the right loop:").select_option("zero_before_step")
    expect(said.last).to_contain_text("Epoch 36: 16 %")
    name = page.locator(".plane canvas").last.get_attribute("aria-label") or ""
    assert name.startswith("zero_grad between backward and step. Epoch 36")


def test_who_wants_no_motion_steps_through_the_epochs(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_figure(page, "spiral")
    expect(page.get_by_role("button", name="Play")).to_have_count(0)
    page.get_by_role("button", name="One epoch back").click()
    expect(page.locator(".plane__said").first).to_contain_text("Epoch 35")


def test_the_regions_are_drawn_in_the_colours_of_the_theme(page: Page) -> None:
    picture = "document.querySelector('.plane canvas').toDataURL()"
    page.emulate_media(color_scheme="light")
    open_figure(page, "spiral")
    light = page.evaluate(picture)
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(picture) != light


def test_a_block_is_copied_whole(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/en/chapter/before-you-start")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("import torch\n\nprint(")


def test_the_place_is_kept_and_offered(page: Page) -> None:
    page.goto("/en/chapter/loop")
    expect(page.locator("#go-on")).to_be_hidden()
    page.locator("#none-is-not-zero").evaluate("heading => heading.scrollIntoView()")
    expect(page.locator(".contents [aria-current=location]")).to_have_text("None is not zero")
    expect(page.get_by_role("link", name="中文")).to_have_attribute("href", "/zh/chapter/loop#none-is-not-zero")
    page.goto("/en/chapter")
    page.locator("#go-on a").click()
    expect(page).to_have_url("/en/chapter/loop#none-is-not-zero")


def test_what_is_folded_is_printed(page: Page) -> None:
    page.goto("/en/chapter/before-you-start")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.answer:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.answer[open]").count() == 0
    page.emulate_media(media="print")
    expect(page.locator(".contents")).to_be_hidden()


def test_paper_is_light_whatever_the_theme(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/en/chapter/before-you-start")
    ink = "getComputedStyle(document.querySelector('.prose')).color"
    on_light = page.evaluate(ink)
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(ink) != on_light
    page.emulate_media(color_scheme="dark", media="print")
    assert page.evaluate(ink) == on_light


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_its_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for lang in LANGUAGES:
        open_figure(page, "spiral", f"/{lang}/chapter/loop")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for path in PATHS:
            page.goto(f"/{lang}/{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_in_a_table_set_as_cards_no_name_lies_over_another(page: Page) -> None:
    """A column's name may need two lines where its cell needs one."""
    page.set_viewport_size({"width": 320, "height": 800})
    for path in ("loop", "crib-sheet"):
        page.goto(f"/en/chapter/{path}")
        assert page.evaluate(CUT_OFF) == []


def test_the_language_is_switched_in_the_middle_of_a_search(page: Page) -> None:
    page.goto("/en/search?q=scaler")
    page.get_by_role("link", name="中文").click()
    expect(page.get_by_role("main").get_by_role("searchbox")).to_have_value("scaler")
    expect(page.locator("mark").first).to_have_text("scaler", ignore_case=True)


def test_headings_are_in_order_and_controls_have_names(page: Page) -> None:
    for path in PATHS:
        page.goto(f"/en/{path}")
        if path.endswith("/loop"):
            open_figure(page, "spiral")
            open_figure(page, "orders")
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1]))")
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), path
        assert page.evaluate(NAMELESS) == [], path


def test_without_a_script_all_is_there_to_read(chromium: Browser, address: str) -> None:
    page = chromium.new_context(base_url=address, java_script_enabled=False).new_page()
    page.goto("/en/chapter/loop")
    expect(page.locator("#figure-orders")).to_contain_text("Of the 120 orders")
    expect(page.locator(".block").first).to_contain_text("epoch 8: loss 0.15")
    expect(page.get_by_role("button")).to_have_count(0)
    page.goto("/en/search")
    page.get_by_role("searchbox").fill("scaler")
    page.get_by_role("main").get_by_role("button", name="Search").click()
    expect(page.locator("mark").first).to_have_text("scaler", ignore_case=True)
    page.goto("/en/chapter/before-you-start")
    page.locator("details.answer summary").first.click()
    expect(page.locator("details.answer").first).to_contain_text("IndexError")
    page.context.close()
