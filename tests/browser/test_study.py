"""Looking before submitting: the learner's code on a small model, its norms, and a factor to move."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_axe import found
from tests.browser.test_submission import paste_code, type_code

NORMS = """\
def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    norms = []
    while len(norms) < num_steps:
        for x, y in loader:
            if len(norms) == num_steps:
                break
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            squares = sum(p.grad.square().sum() for p in model.parameters())
            norms.append(float(squares) ** 0.5)
            optimizer.step()
    return norms
"""
RUN = "Try on a small model"


def run(page: Page, code: str) -> None:
    page.goto("/en/exercises/clip")
    paste_code(page, code)
    page.get_by_role("button", name=RUN).click()
    # The worker may be only starting, on a busy machine.
    expect(page.locator("#study-end .run__ended")).to_be_visible(timeout=180_000)


def test_the_factor_is_chosen_with_the_norms_in_view(page: Page) -> None:
    page.goto("/en/exercises/clip")
    type_code(page, NORMS)
    page.get_by_role("button", name=RUN).press("Enter")
    study = page.locator(".study")
    said = study.locator("output")
    expect(said).to_contain_text("Factor 1.5 × median 2.7 = threshold 4.05", timeout=180_000)
    expect(page.get_by_role("button", name=RUN)).to_be_focused()
    before = said.inner_text()
    assert "84 of 240 steps would be clipped, 35 %" in before
    page.get_by_role("slider", name="Factor").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Factor 2 ×")
    assert "46 of 240 steps would be clipped, 19.2 %" in said.inner_text()
    assert study.locator(".bar").count() > 5
    assert found(page) == []
    page.goto("/en/submissions")
    expect(page.get_by_role("main")).not_to_contain_text("Submission 1")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = 1", "Your code raised NameError: name 'gradient_norms' is not defined"),
        ("def gradient_norms(*a):\n    return 1 / 0", "solution.py, line 2, in gradient_norms"),
        ("def gradient_norms(*a):\n    print('<b>so far</b>')\n    while True: pass", "Stopped after 10 s."),
        ("def gradient_norms(*a):\n    pass", "must return a list of numbers, one for each step."),
        ("def gradient_norms(*a):\n    return [float('nan'), float('inf')]", "No norm of the second half is finite"),
        ("import builtins\n\ndef gradient_norms(*a):\n    builtins.print = len", "It left nothing to draw."),
    ],
)
def test_what_cannot_be_drawn_is_said(page: Page, code: str, said: str) -> None:
    run(page, code)
    expect(page.locator(".study")).to_contain_text(said)
    if "so far" in code:
        expect(page.locator("#study-shown pre")).to_have_text("<b>so far</b>")
    assert page.locator(".study b").count() == 0


def test_a_run_can_be_stopped(page: Page) -> None:
    page.goto("/en/exercises/clip")
    paste_code(page, "def gradient_norms(*a):\n    while True: pass")
    page.get_by_role("button", name=RUN).click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#study-end")).to_contain_text("You stopped it.")
    expect(page.get_by_role("button", name=RUN)).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_fits_a_narrow_window(page: Page, lang: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    run(page, NORMS)
    page.goto(f"/{lang}/exercises/clip")
    page.locator("#study-run").click()
    expect(page.locator(".study output")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert found(page) == []


def test_without_a_script_it_says_that_it_takes_one(chromium: Browser, address: str) -> None:
    with chromium.new_context(base_url=address, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/en/exercises/clip")
        expect(page.locator("#study-without")).to_be_visible()
        expect(page.locator("#study-run")).to_be_hidden()
        expect(page.locator(".study summary")).to_have_text("Show what runs after your code")
