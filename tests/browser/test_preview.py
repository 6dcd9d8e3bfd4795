"""A preview in a browser: its pages load again by themselves, on a wide screen and on a phone."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.test_preview import PATIENCE_S, command
from tests.browser.test_axe import found


@pytest.fixture
def address(demo_folder: Path) -> Iterator[str]:
    preview = command(demo_folder, "demo", "--port", "0")
    assert preview.stdout is not None
    try:
        yield preview.stdout.readline().split()[-1].removesuffix("/en/exercises/demo")
    finally:
        preview.send_signal(signal.SIGINT)
        preview.communicate(timeout=60)


def test_the_page_loads_again_when_a_file_changes(page: Page, demo_folder: Path) -> None:
    page.goto("/en/exercises/demo")
    statement = demo_folder / "statement.en.md"
    text = statement.read_text()
    statement.write_text("# Changed\n")
    expect(page.get_by_role("heading", name="Changed")).to_be_visible(timeout=60_000)
    statement.write_text("no title\n")
    expect(page.get_by_text("the first line must be the title")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("heading", name="Changed")).to_be_visible()
    statement.write_text(text)
    expect(page.get_by_text("the first line must be the title")).not_to_be_visible(timeout=60_000)

    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("link", name="Wrong programs").click()
    expect(page.locator("[data-program]")).to_have_count(9)
    summary = page.get_by_text("Show the program").first
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details[open] pre")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_axe_finds_nothing_on_its_pages(page: Page, demo_folder: Path) -> None:
    page.goto("/en/preview")
    expect(page.locator("[data-judged]")).to_have_count(9, timeout=PATIENCE_S * 1000)
    violations = []
    for lang in ("en", "zh"):
        for path in ("preview", "exercises/demo"):
            page.goto(f"/{lang}/{path}")
            violations += found(page)
    (demo_folder / "statement.en.md").write_text("no title\n")
    expect(page.locator(".folder-problem")).to_be_visible(timeout=60_000)
    assert violations + found(page) == []
