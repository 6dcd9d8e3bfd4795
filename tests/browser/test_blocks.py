"""Running and editing the chapter's blocks in the page, with a real worker behind it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from chapter.read import read
from tests.browser.test_submission import PASTE

LINES = "import time\nfor i in range(4):\n    print('line', i)\n    time.sleep(0.7)"


def block(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Block {number}", exact=True)


def write(page: Page, found: Locator, code: str) -> None:
    """Replace what stands in a block's editor. Typed, every bracket would close itself."""
    found.get_by_role("textbox").click()
    page.keyboard.press("ControlOrMeta+a")
    found.get_by_role("textbox").evaluate(PASTE, code)


def edit(page: Page, found: Locator, code: str) -> None:
    found.get_by_role("button", name="Edit").click()
    write(page, found, code)


def test_a_block_runs_and_prints_what_the_page_prints(page: Page) -> None:
    page.goto("/en/chapter/loop")
    found = block(page, 3)
    found.get_by_role("button", name="Run").click()
    # The worker may be only starting, on a busy machine.
    expect(found.locator(".run__ended")).to_contain_text("It prints what is printed here.", timeout=180_000)
    assert found.get_by_role("log").inner_text() == read("en", "03-loop.md").blocks[2].output
    expect(found.get_by_role("button", name="Run")).to_be_focused()
    page.goto("/en/submissions")
    expect(page.get_by_role("main")).not_to_contain_text("Submission 1")


def test_a_chinese_block_runs_and_prints_what_its_page_prints(page: Page) -> None:
    page.goto("/zh/chapter/loop")
    found = page.get_by_role("group", name="代码块 2", exact=True)
    found.get_by_role("button", name="运行").click()
    expect(found.locator(".run__ended")).to_contain_text("输出与原文相同。")
    printed = found.get_by_role("log").inner_text()
    assert printed == read("zh", "03-loop.md").blocks[1].output
    assert "权重" in printed


def test_what_it_prints_arrives_line_by_line(page: Page) -> None:
    page.goto("/en/chapter/loop")
    found = block(page, 1)
    edit(page, found, LINES)
    page.keyboard.press("ControlOrMeta+Enter")
    log = found.get_by_role("log")
    expect(log).to_contain_text("line 0")
    assert "line 3" not in log.inner_text()
    expect(found.locator(".run__end")).to_have_text("Running")
    expect(log).to_contain_text("line 3")
    expect(found.locator(".run__end")).to_contain_text("Ended after")


def test_an_error_shows_its_line_and_the_edit_survives_a_reload(page: Page) -> None:
    page.goto("/en/chapter/loop")
    edit(page, block(page, 1), "import torch\n\nprint('so far')\ntorch.ones(2) @ torch.ones(3)")
    page.keyboard.press("ControlOrMeta+Enter")
    ended = block(page, 1).locator(".run__ended")
    expect(ended).to_contain_text("Your code raised RuntimeError")
    expect(ended.locator("pre")).to_contain_text("block.py, line 4, in <module>")
    expect(block(page, 1).get_by_role("log")).to_have_text("so far")
    page.reload()
    expect(block(page, 1).get_by_role("textbox")).to_contain_text("print('so far')")
    back = block(page, 1).get_by_role("button", name="Back to the original")
    back.click()
    expect(block(page, 1).locator(".cm-content")).to_be_hidden()
    expect(block(page, 1)).to_contain_text("# 1 forward pass and loss")
    edit_button = block(page, 1).get_by_role("button", name="Edit")
    expect(edit_button).to_be_focused()
    edit_button.press("Enter")  # and what was taken back can be had again
    expect(block(page, 1).get_by_role("textbox")).to_be_focused()
    page.keyboard.press("ControlOrMeta+z")
    expect(block(page, 1).get_by_role("textbox")).to_contain_text("print('so far')")
    back.click()
    page.reload()
    expect(block(page, 1).get_by_role("button", name="Edit")).to_be_visible()
    expect(page.locator(".cm-content")).to_have_count(0)


def marked(found: Locator) -> list[tuple[int, str]]:
    """(line, what stands in it) of the marked lines of a block's editor."""
    shown = found.locator(".cm-line")
    classes = [line.get_attribute("class") or "" for line in shown.all()]
    return [(at + 1, shown.nth(at).text_content() or "") for at, names in enumerate(classes) if "cm-marked" in names]


def test_the_line_that_raised_is_marked_and_says_so(page: Page) -> None:
    page.goto("/en/chapter/loop")
    found = block(page, 1)
    edit(page, found, "def f(x):\n    return 1 / x\n\n\nf(0)")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.locator(".cm-marked")).to_have_count(1)
    assert marked(found) == [(2, "    return 1 / x← raised here")]
    found.get_by_role("textbox").press("End")
    page.keyboard.type("0")
    expect(found.locator(".cm-marked, .cm-marked__words")).to_have_count(0)
    write(page, found, "x = 1\nx = (")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.locator(".cm-marked")).to_contain_text("x = (")
    write(page, found, "print('mended')")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.locator(".run__ended")).to_contain_text("Ended after")
    expect(found.locator(".cm-marked")).to_have_count(0)


def test_an_error_in_a_block_before_is_marked_there(page: Page) -> None:
    page.goto("/zh/chapter/resume")
    number = next(number for number, one in enumerate(read("zh", "08-resume.md").blocks, 1) if one.continues)
    before, after = (page.get_by_role("group", name=f"代码块 {n}", exact=True) for n in (number - 1, number))
    before.get_by_role("button", name="编辑").click()
    write(page, before, "import torch\n\n1 / 0" + " #" * 100)
    after.get_by_role("button", name="运行").click()
    expect(before.locator(".cm-marked__words")).to_have_text("← 错误出在这里")
    assert [line for line, _ in marked(before)] == [3]
    # Words at the end of a long line are seen without scrolling.
    words, editor = before.locator(".cm-marked__words").bounding_box(), before.locator(".editor").bounding_box()
    assert words is not None
    assert editor is not None
    assert words["x"] + words["width"] <= editor["x"] + editor["width"]


def test_a_block_builds_on_those_before_it_as_they_stand_on_the_page(page: Page) -> None:
    page.goto("/en/chapter/resume")
    blocks = read("en", "08-resume.md").blocks
    number = next(number for number, one in enumerate(blocks, 1) if one.continues)
    found = block(page, number)
    found.get_by_role("button", name="Run").click()
    expect(found.locator(".run__ended")).to_contain_text("It prints what is printed here.")
    edit(page, block(page, number - 1), "print('unheard')\nx = 5")
    edit(page, found, "print(x * 2)")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.get_by_role("log")).to_have_text("10")


def test_a_block_with_workers_has_them(page: Page) -> None:
    page.goto("/en/chapter/data")
    number = next(number for number, one in enumerate(read("en", "02-data.md").blocks, 1) if one.workers)
    block(page, number).get_by_role("button", name="Run").click()
    expect(block(page, number).locator(".run__ended")).to_contain_text("It prints what is printed here.")


def test_a_run_is_stopped_and_another_one_begun(page: Page) -> None:
    page.goto("/en/chapter/loop")
    found = block(page, 1)
    edit(page, found, "while True: pass")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.locator(".run__end")).to_have_text("Running")
    found.get_by_role("button", name="Stop").press("Enter")
    expect(found.locator(".run__ended")).to_have_text("You stopped it.", use_inner_text=True)
    expect(found.get_by_role("button", name="Run")).to_be_focused()
    for _ in range(5):  # each stops the one before: they do not add up to too many
        found.get_by_role("textbox").press("ControlOrMeta+Enter")
    expect(found.locator(".run__end")).to_have_text("Running")
    write(page, found, "print('the last')")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.get_by_role("log")).to_have_text("the last")
    expect(found.locator(".run__ended")).to_contain_text("Ended after")


def test_what_is_printed_is_text(page: Page) -> None:
    page.goto("/en/chapter/loop")
    found = block(page, 1)
    edit(page, found, "print('<img src=x onerror=alert(1)> \\x1b[31m \\u202e \\0')\nraise ValueError('<b>`x`</b>')")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.get_by_role("log")).to_have_text("<img src=x onerror=alert(1)> \\x1b[31m \\u202e \\x00")
    expect(found.locator(".run__message")).to_contain_text("ValueError: <b>x</b>")
    expect(found.locator(".run__message b")).to_have_count(0)


def test_what_is_refused_is_said_under_the_block(page: Page) -> None:
    page.goto("/zh/chapter/loop")
    found = page.get_by_role("group", name="代码块 1", exact=True)
    found.get_by_role("button", name="编辑").click()
    write(page, found, "#" * (64 * 1024 + 1))
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.get_by_role("alert")).to_have_text("代码超过 64 KiB，因此没有运行。")
    expect(found.get_by_role("button", name="运行")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_block_that_has_run_fits_its_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/zh/chapter/loop")
    found = page.get_by_role("group", name="代码块 1", exact=True)
    found.get_by_role("button", name="编辑").click()
    write(page, found, "print('x' * 400)\nraise ValueError('y' * 400)")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(found.locator(".run__ended")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sides = [found.locator(".output").nth(index).bounding_box() for index in (0, 1)]
    assert all(side is not None for side in sides)
    beside = sides[0]["x"] < sides[1]["x"]  # type: ignore[index]  # both are on the page: None would fail the test
    assert beside == (width == 1280)


def test_leaving_the_page_ends_what_runs(page: Page) -> None:
    page.goto("/en/chapter/loop")
    edit(page, block(page, 1), "while True: pass")
    with page.expect_response("**/api/runs?*") as answer:
        page.keyboard.press("ControlOrMeta+Enter")
    number = answer.value.json()["id"]
    expect(block(page, 1).locator(".run__end")).to_have_text("Running")
    page.goto("/en/chapter/data")
    events = page.request.get(f"/api/runs/{number}/events").text()
    assert "You stopped it." in events


def test_without_a_script_there_is_nothing_to_run(chromium: Browser, address: str) -> None:
    page = chromium.new_context(base_url=address, java_script_enabled=False).new_page()
    page.goto("/en/chapter/loop")
    expect(page.locator(".block").first).to_contain_text("It prints")
    expect(page.get_by_role("button")).to_have_count(0)
    page.context.close()
