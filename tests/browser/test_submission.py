"""The main job, by keyboard, in both languages: type a solution, submit, see the checks arrive and what is wrong."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judge.exercise import DEFAULT_ROOT, load_exercises

expect.set_options(timeout=60_000)
LOOP = load_exercises([DEFAULT_ROOT]).exercises["loop"]

NO_ZERO_GRAD = '''\
import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    """Nothing clears the gradients."""
    device = next(model.parameters()).device
    model.train()
    total, count = torch.zeros((), device=device), 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total += loss.detach() * len(x)
        count += len(x)
    return float(total / count)
'''
RIGHT = NO_ZERO_GRAD.replace("loss.backward()", "optimizer.zero_grad()\n        loss.backward()")

EDITOR = ".cm-content"
KEEP_WHAT_ARRIVES = """() => {
    window.arrived = [];
    new MutationObserver(() => {
        const all = document.querySelectorAll(".check").length;
        const waiting = document.querySelectorAll(".check--waiting").length;
        if (all > 0) window.arrived.push(all - waiting);
    }).observe(document.getElementById("results"), { childList: true, subtree: true });
}"""

PASTE = """(editor, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def written(page: Page) -> str:
    """What the editor holds, line by line as it is shown."""
    return "\n".join(page.locator(".cm-line").all_text_contents())


def type_code(page: Page, code: str) -> None:
    """Type over what is there as a person does, who leaves indentation and closing brackets to the editor."""
    page.click(EDITOR)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    depth = 0
    for number, line in enumerate(code.splitlines()):
        if number > 0:
            page.keyboard.press("Enter")
        text = line.lstrip()
        wanted = (len(line) - len(text)) // 4
        if text:
            # Enter keeps the depth, and goes one deeper after a colon.
            while depth > wanted:
                page.keyboard.press("Shift+Tab")
                depth -= 1
            page.keyboard.type(text)
            depth = wanted + text.endswith(":")
    page.keyboard.press("Enter")
    while depth > 0:
        page.keyboard.press("Shift+Tab")
        depth -= 1


def paste_code(page: Page, code: str) -> None:
    page.click(EDITOR)
    page.keyboard.press("ControlOrMeta+a")
    page.locator(EDITOR).evaluate(PASTE, code)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_wrong_solution_is_typed_judged_explained_and_kept(page: Page, lang: str) -> None:
    page.goto(f"/{lang}/exercises/loop")
    type_code(page, NO_ZERO_GRAD)
    assert written(page) == NO_ZERO_GRAD
    page.evaluate(KEEP_WHAT_ARRIVES)
    page.keyboard.press("ControlOrMeta+Enter")

    # Backticks set code.
    sentence = LOOP.translate(lang)(LOOP.mistakes["no-zero-grad"].sentence).replace("`", "")
    expect(page.locator(".diagnosis__sentence")).to_have_text(sentence)
    # The checks were seen one by one before the verdict was.
    arrived: list[int] = page.evaluate("window.arrived")
    assert sorted(set(arrived)) == list(range(max(arrived) + 1))
    failing = page.locator(".check--failed")
    expect(failing.first.locator(".check__status")).to_have_text({"en": "Not right yet", "zh": "还不对"}[lang])
    expect(failing.first.locator(".check__message")).not_to_be_empty()
    strip = page.locator('.figure[data-kind="events"] svg')
    expect(strip.first).to_have_attribute("role", "img")
    expect(page.locator(".chip--missing").first).to_be_visible()
    assert sentence in page.locator("#said").inner_text()

    page.reload()
    expect(page.locator(".diagnosis__sentence")).to_have_text(sentence)
    assert written(page) == NO_ZERO_GRAD
    page.click(".permalink a")
    expect(page.locator(".diagnosis__sentence")).to_have_text(sentence)
    expect(page.locator("main pre.code").last).to_contain_text("loss.backward()")


def test_a_right_solution_passes_and_the_course_shows_it(page: Page) -> None:
    page.goto("/en/exercises/loop")
    paste_code(page, RIGHT)
    page.click("#submit")
    expect(page.locator(".verdict--passed .headline")).to_contain_text("checks passed")
    expect(page.locator(".diagnosis")).to_have_count(0)
    expect(page.locator(".chip--missing, .chip--extra")).to_have_count(0)
    page.goto("/en/")
    expect(page.locator(".row", has=page.locator('a[href="/en/exercises/loop"]'))).to_contain_text("Passed")
    page.goto("/zh/submissions")
    expect(page.locator(".ledger tbody tr")).to_have_count(1)
    expect(page.locator(".ledger")).to_contain_text("通过")


def test_a_syntax_error_is_shown_at_its_line(page: Page) -> None:
    page.goto("/en/exercises/loop")
    paste_code(page, "import torch\n\ndef train_one_epoch(\n    return 0\n")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".verdict__message")).to_contain_text("not valid Python")
    line = page.locator("[data-line]").get_attribute("data-line")
    expect(page.locator(".cm-marked")).to_have_count(1)
    expect(page.locator(".cm-marked")).to_contain_text("← here")
    marked = page.evaluate("[...document.querySelectorAll('.cm-line')].findIndex(l => l.matches('.cm-marked')) + 1")
    assert str(marked) == line


def test_an_error_shows_the_learner_s_own_lines_and_prints_as_text(page: Page) -> None:
    page.goto("/en/exercises/loop")
    hostile = 'print("<img src=x onerror=alert(1)>\\x1b[31m\\u202e\\x00")'
    paste_code(
        page, f"def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):\n    {hostile}\n    1 / 0\n"
    )
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".verdict")).to_be_visible()
    traceback = page.locator(".check .code--plain").first
    expect(traceback).to_contain_text("line 3")
    expect(page.locator(".check__message").first).to_contain_text("ZeroDivisionError")
    prints = page.locator(".verdict pre.code--plain").last
    expect(prints).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0
    shown = page.locator("#results").inner_text()
    assert not set(shown) & set("\x1b\u202e\x00")


def test_without_scripts_the_form_is_sent_and_the_page_comes_to_show_the_verdict(
    chromium: Browser, address: str
) -> None:
    plain = chromium.new_context(base_url=address, java_script_enabled=False)
    plain.set_default_timeout(60_000)
    page = plain.new_page()
    page.goto("/en/exercises/loop")
    expect(page.locator(".hint .hint").first).not_to_be_visible()
    page.click(".hint summary")
    expect(page.locator(".hint .hint summary").first).to_have_text(f"Hint 2 of {len(LOOP.hints())}")
    page.fill("textarea", NO_ZERO_GRAD)
    page.click("#submit")
    expect(page).to_have_url(re.compile(r"/en/submissions/\d+$"))
    expect(page.locator(".diagnosis__sentence")).to_be_visible()
    assert page.locator("#code code").text_content() == NO_ZERO_GRAD
    plain.close()


def test_a_lost_connection_comes_back(page: Page) -> None:
    page.goto("/en/exercises/loop")
    paste_code(page, NO_ZERO_GRAD)
    with page.expect_response("**/submissions?lang=en"):
        page.keyboard.press("ControlOrMeta+Enter")
    page.context.set_offline(True)
    page.context.set_offline(False)
    expect(page.locator(".diagnosis__sentence")).to_be_visible()


def test_a_second_submission_takes_the_place_of_the_first(page: Page) -> None:
    page.goto("/en/exercises/loop")
    for code in (NO_ZERO_GRAD, RIGHT):
        paste_code(page, code)
        with page.expect_response("**/submissions?lang=en"):
            page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".verdict--passed")).to_be_visible()
    page.goto("/en/submissions")
    expect(page.locator(".ledger tbody tr")).to_have_count(2)


def test_code_that_was_submitted_is_coloured_as_in_the_editor(page: Page) -> None:
    page.goto("/en/exercises/loop")
    code = RIGHT + "# <b>\n"
    paste_code(page, code)
    with page.expect_response("**/submissions?lang=en") as answer:
        page.keyboard.press("ControlOrMeta+Enter")
    page.goto(f"/en/submissions/{answer.value.json()['id']}")
    expect(page.locator("#code .tok-keyword").first).to_have_text("import")
    assert page.locator("#code code").text_content() == code


def test_refusals_are_said_beside_the_editor(page: Page) -> None:
    page.goto("/zh/exercises/loop")
    paste_code(page, "#" * (64 * 1024 + 1))
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator("#problem")).to_contain_text("超过 64 KiB")
    expect(page.locator("#submit")).to_have_attribute("aria-disabled", "false")


def test_a_page_that_waits_again_shows_no_old_verdict(page: Page) -> None:
    page.goto("/en/exercises/loop")
    paste_code(page, "x = 1")
    page.click("#submit")
    expect(page.locator("#results .verdict")).to_be_visible()
    waiting = {"event": "waiting", "position": 3, "silent": False, "html": '<p class="waiting">Number 3</p>'}
    page.route("**/events?*", lambda route: route.fulfill(content_type="text/event-stream", body=told(waiting)))
    page.click("#submit")
    expect(page.locator("#results .waiting")).to_have_text("Number 3")
    expect(page.locator("#results .verdict")).to_have_count(0)


def told(event: dict[str, object]) -> str:
    return f"data: {json.dumps(event)}\n\n"


def test_a_page_in_the_background_holds_no_connection(page: Page) -> None:
    """A browser opens six to a site: six pages that wait would shut their reader out."""
    page.goto("/en/exercises/loop")
    page.evaluate(SEEN, False)
    paste_code(page, NO_ZERO_GRAD)
    with page.expect_response("**/submissions*") as answer:
        page.click("#submit")
    number = answer.value.json()["id"]
    while page.request.get(f"/api/submissions/{number}").json()["state"] != "done":
        page.wait_for_timeout(100)
    expect(page.locator("#results .verdict")).to_have_count(0)
    page.evaluate(SEEN, True)
    expect(page.locator("#results .verdict--failed")).to_be_visible()


SEEN = """(seen) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: !seen });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_what_is_typed_in_one_tab_is_there_in_the_other(page: Page) -> None:
    page.goto("/en/exercises/loop")
    other = page.context.new_page()
    other.goto("/zh/exercises/loop")
    paste_code(page, "x = 1  # my work")
    expect(other.locator(".cm-line")).to_have_text(["x = 1  # my work"])
    other.click(EDITOR)
    other.keyboard.press("ControlOrMeta+End")
    other.keyboard.type("!")
    expect(page.locator(".cm-line")).to_have_text(["x = 1  # my work!"])


def test_nothing_that_is_typed_fast_is_lost_to_another_tab(page: Page) -> None:
    page.goto("/en/exercises/loop")
    paste_code(page, "#")
    other = page.context.new_page()
    other.goto("/en/exercises/loop")
    page.click(EDITOR)
    page.keyboard.press("ControlOrMeta+End")
    typed = "0123456789" * 20
    page.keyboard.type(typed, delay=2)
    expect(other.locator(".cm-line")).to_have_text([f"#{typed}"])
    assert written(page) == f"#{typed}"
