"""The README's picture: a wrong solution explained. `python -m tests.browser.picture`; needs pngquant."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize

from tests.browser.conftest import headless_chromium, serving
from tests.browser.test_submission import NO_ZERO_GRAD, paste_code

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "exercise.png"
SIZE: ViewportSize = {"width": 1280, "height": 1290}


def main() -> None:
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, headless_chromium() as chromium:
        page = chromium.new_page(base_url=address, viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto("/en/exercises/loop")
        paste_code(page, NO_ZERO_GRAD)
        page.keyboard.press("ControlOrMeta+Enter")
        page.wait_for_selector(".diagnosis", timeout=60_000)
        page.locator("h1").click()
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=PICTURE)
    # A README is read more often than its picture is made: a palette takes a third of the bytes.
    subprocess.run(["pngquant", "--force", "--skip-if-larger", "--output", PICTURE, "128", PICTURE], check=True)


if __name__ == "__main__":
    main()
