"""The real site and a real worker on loopback, and a headless browser to visit them with."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

SECRET = "a secret for tests, long enough to sign with"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """`python -m app` with a database in `folder`, and the address it serves at."""
    port = free_port()
    environment = os.environ | {
        "FIVE_LINES_DATABASE": f"sqlite:///{folder}/five_lines.sqlite",
        "FIVE_LINES_SECRET": SECRET,
    }
    log = folder / "log"
    with log.open("wb") as errors:
        site = subprocess.Popen(
            [sys.executable, "-m", "app", "--port", str(port)],
            cwd=Path(__file__).resolve().parents[2],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    assert site.stdout is not None
    try:
        # It says so once it serves; if it cannot, its output ends.
        assert b"http://" in site.stdout.readline(), log.read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        site.send_signal(signal.SIGTERM)
        site.wait(60)
        site.stdout.close()


@contextmanager
def headless_chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("site")) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One for a module and no longer: while Playwright runs, this thread has a running event loop, and tests
    elsewhere could not start one.
    """
    with headless_chromium() as browser:
        yield browser


@pytest.fixture
def context(chromium: Browser, address: str) -> Iterator[BrowserContext]:
    """A new visitor's browser. Nothing on a page may break or be refused by the page's own policy."""
    complaints: list[str] = []

    # A submission that is refused is meant to be, and so is a connection that a test takes away.
    meant = ("the server responded with a status of 4", "net::ERR_INTERNET_DISCONNECTED")

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(text in message.text for text in meant):
            complaints.append(message.text)

    context = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    context.on("console", heard)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context
    context.close()
    assert complaints == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
