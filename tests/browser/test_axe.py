"""axe-core finds nothing on any kind of page, in every language and both themes, also with a block run and edited.

In Korean, whose pages are built as the others are, each kind of page is looked at once.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.instructor import key
from app.section import files
from app.words import LANGUAGES
from tests.browser.conftest import SECRET
from tests.browser.test_blocks import block, edit
from tests.browser.test_submission import NO_ZERO_GRAD, paste_code

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target}: ${node.failureSummary}`))"""
SECTIONS = [f"chapter/{slug}" for slug in files()]
OTHERS = ["", "chapter", "search?q=clip", "exercises/clip", "exercises/hunt-1", "submissions", "nothing"]
PAGES = {
    "en chapter": ("en", SECTIONS),
    "en others": ("en", OTHERS),
    "zh chapter": ("zh", SECTIONS),
    "zh others": ("zh", OTHERS),
    "ko": ("ko", ["chapter/loop", "chapter/crib-sheet", *OTHERS]),
}


def found(page: Page) -> list[str]:
    """All that axe finds in each theme, with everything unfolded and every figure drawn."""
    page.evaluate(AXE)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for figure in page.locator(".moving").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".controls").first).to_be_visible()
    violations: list[str] = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        violations += [f"{page.url} ({theme}): {violation}" for violation in page.evaluate(RUN)]
    return violations


@pytest.mark.parametrize(("lang", "paths"), PAGES.values(), ids=PAGES)
def test_axe_finds_nothing(page: Page, lang: str, paths: list[str]) -> None:
    violations = []
    for path in paths:
        page.goto(f"/{lang}/{path}")
        violations += found(page)
    assert violations == []


def test_axe_finds_nothing_on_a_phone(page: Page) -> None:
    """Where tables are set as cards, and the contents are folded."""
    page.set_viewport_size({"width": 390, "height": 844})
    violations = []
    for path in ("en/chapter/loop", "zh/chapter/crib-sheet", "ko/chapter/crib-sheet"):
        page.goto(f"/{path}")
        violations += found(page)
    assert violations == []


def test_axe_finds_nothing_where_a_block_is_edited_and_has_run(page: Page) -> None:
    page.goto("/en/chapter/loop")
    edit(page, block(page, 1), "print('so far')\n1 / 0")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(block(page, 1).locator(".cm-marked")).to_be_visible()
    assert found(page) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_on_a_verdict(page: Page, lang: str) -> None:
    """Beside the editor, and on the submission's own page."""
    page.goto(f"/{lang}/exercises/loop")
    paste_code(page, NO_ZERO_GRAD)
    page.keyboard.press("ControlOrMeta+Enter")
    # The worker may be only starting, on a busy machine.
    expect(page.locator(".diagnosis")).to_be_visible(timeout=180_000)
    violations = found(page)
    page.click(".permalink a")
    expect(page.locator(".diagnosis")).to_be_visible()
    violations += found(page)
    page.goto(f"/{lang}/submissions")
    assert violations + found(page) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_on_the_instructors_page(page: Page, lang: str) -> None:
    page.goto(f"/{lang}/teach?key={key(SECRET)}")
    expect(page.locator(".row--folder").first).to_be_visible()
    assert found(page) == []
