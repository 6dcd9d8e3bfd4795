"""Pages are answered while very many write, or follow what is judged, and the database keeps them waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import Engine

from app import submit
from app.follow import Place, follow
from app.threads import Threads
from judge import store

MORE_THAN_THREADS = 45


@pytest.fixture
def browser(site: FastAPI) -> httpx.AsyncClient:
    """One whose requests can wait side by side."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://testserver")


@contextmanager
def blocked(name: str) -> Iterator[threading.Event]:
    """A function of the store waits until the block ends; the event says that somebody does."""
    begun, go = threading.Event(), threading.Event()
    function: Callable[..., Any] = getattr(store, name)

    def waits(*arguments: Any, **named: Any) -> Any:
        begun.set()
        assert go.wait(60)
        return function(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, name, waits)
        try:
            yield begun
        finally:
            go.set()


async def read_meanwhile(browser: httpx.AsyncClient, waiting: list[asyncio.Task[Any]], begun: threading.Event) -> None:
    await asyncio.to_thread(begun.wait, 60)
    assert (await browser.get("/en/")).status_code == 200
    assert not any(task.done() for task in waiting)


def test_pages_do_not_wait_behind_those_who_write(browser: httpx.AsyncClient) -> None:
    async def visit() -> set[int]:
        await browser.get("/en/")
        with blocked("submit") as begun:
            path, sources = "/api/exercises/loop/submissions", [f"x = {i}" for i in range(MORE_THAN_THREADS)]
            posts = [asyncio.create_task(browser.post(path, json={"source": source})) for source in sources]
            await read_meanwhile(browser, posts, begun)
        return {answer.status_code for answer in await asyncio.gather(*posts)}

    assert asyncio.run(visit()) == {201, 429}  # the first are taken in, the others are too many for one learner


def test_who_waits_for_those_who_write_before_does_not_wait_long(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit, "writing", Threads(1, patience_s=0.1))

    async def visit() -> list[int]:
        await browser.get("/en/")
        path = "/api/exercises/loop/submissions"
        with blocked("submit") as begun:
            first = asyncio.create_task(browser.post(path, json={"source": "x = 1"}))
            await asyncio.to_thread(begun.wait, 60)
            second = await browser.post(path, json={"source": "x = 2"})
        return [(await first).status_code, second.status_code]

    assert asyncio.run(visit()) == [201, 503]


def test_pages_do_not_wait_behind_those_who_follow(browser: httpx.AsyncClient, engine: Engine) -> None:
    submission_id = store.submit(engine, store.draw_learner(), "loop", "x = 1")

    async def look() -> object:
        return await anext(follow(engine, submission_id, Place(1)))

    async def visit() -> list[object]:
        with blocked("events_after") as begun:
            looks = [asyncio.create_task(look()) for _ in range(MORE_THAN_THREADS)]
            await read_meanwhile(browser, looks, begun)
        return await asyncio.gather(*looks)

    assert len(asyncio.run(visit())) == MORE_THAN_THREADS
