from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Mapping

import pytest
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.testclient import TestClient
from starlette.types import Message

from app import guard
from app.guard import LOCAL_HOSTS, MAX_BODY_KIB
from app.main import create_app
from app.refusal import Refusal

SUBMIT = "/api/exercises/loop/submissions"


@pytest.mark.parametrize(
    "path", ["/", "/en/", "/zh/exercises/loop", "/nothing", "/api/submissions/1", "/static/nothing"]
)
def test_every_answer_is_guarded(browser: TestClient, path: str) -> None:
    headers = browser.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_the_nonce_is_new_for_each_answer_and_is_the_page_s(browser: TestClient) -> None:
    pages = [browser.get("/en/exercises/loop") for _ in range(2)]
    nonces = [re.findall(r"'nonce-([^']+)'", page.headers["content-security-policy"]) for page in pages]
    assert nonces[0] != nonces[1]
    for page, (nonce,) in zip(pages, nonces, strict=True):
        assert f'nonce="{nonce}"' in page.text


@pytest.mark.parametrize("path", ["/en/", "/en/exercises/loop", "/zh/submissions"])
def test_nothing_is_inline(browser: TestClient, path: str) -> None:
    page = browser.get(path).text
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL):
        assert 'type="application/json"' in attributes or not body.strip()


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
    ],
)
def test_a_write_from_another_site_is_refused(browser: TestClient, headers: dict[str, str]) -> None:
    answer = browser.post(SUBMIT, json={"source": ""}, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.json()["error"]
    page = browser.post("/zh/exercises/loop", data={"source": ""}, headers=headers)
    assert page.status_code == 403
    assert "别的网站" in page.text


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://testserver"}, {}])
def test_our_own_pages_may_write(browser: TestClient, headers: dict[str, str]) -> None:
    assert browser.post(SUBMIT, json={"source": ""}, headers=headers).status_code == 201


def test_a_body_is_cut_off_at_its_limit(browser: TestClient) -> None:
    body = b" " * (MAX_BODY_KIB * 1024 + 1)
    answer = browser.post(SUBMIT, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert f"{MAX_BODY_KIB} KiB" in answer.json()["error"]
    page = browser.post("/en/exercises/loop", content=body)
    assert page.status_code == 413
    assert f"{MAX_BODY_KIB} KiB" in page.text


def test_a_cookie_in_quotes_is_left_out(browser: TestClient) -> None:
    """Unquoting this one takes some Pythons 20 s, in which nobody is served."""
    hostile = 'other="' + "\\" * 60_000 + '"'
    began = time.thread_time()
    answer = browser.get("/en/", headers={"Cookie": f"theme=dark; {hostile}; lang=en"})
    assert 'data-theme="dark"' in answer.text
    assert "lang=" not in answer.headers["set-cookie"]
    assert browser.post("/en/", headers={"Cookie": hostile, "Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert time.thread_time() - began < 2


def test_a_body_in_chunks_is_refused(browser: TestClient) -> None:
    """Each of its chunks is parsed in the one thread that serves everybody."""
    answer = browser.post(SUBMIT, content=iter([b"{", b"}"]), headers={"Content-Type": "application/json"})
    assert answer.status_code == 411
    assert "Content-Length" in answer.json()["error"]
    assert answer.headers["Connection"] == "close"


def test_who_is_answered_early_is_not_listened_to(browser: TestClient) -> None:
    for path in ("/en/", "/en/nothing"):
        assert browser.request("GET", path, content=b"x" * 10_000).headers["Connection"] == "close"
        assert "Connection" not in browser.get(path).headers
    assert "Connection" not in browser.post(SUBMIT, json={"source": ""}).headers


def test_what_belongs_to_one_learner_is_not_kept_for_others(browser: TestClient) -> None:
    number = browser.post(SUBMIT, json={"source": ""}).json()["id"]
    for path in (f"/api/submissions/{number}", "/api/submissions/0"):
        assert browser.get(path).headers["Cache-Control"] == "private, no-store"


def received(*pieces: tuple[float, Message]) -> list[Message]:
    """What arrives of a request whose messages come after so many seconds each."""

    async def receive_all() -> list[Message]:
        coming = iter(pieces)

        async def receive() -> Message:
            after_s, message = next(coming)
            await asyncio.sleep(after_s)
            return message

        body = guard.Body(receive, Headers({"content-length": "1024"}))
        return [await body.receive() for _ in pieces]

    return asyncio.run(receive_all())


def test_a_body_that_comes_too_slowly_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_BODY_S", 0.2)
    piece = {"type": "http.request", "body": b"a", "more_body": True}
    with pytest.raises(Refusal) as refused:
        received(*[(0.05, piece)] * 10)  # never a long pause, and never an end
    assert refused.value.status_code == 408


def test_who_has_sent_all_may_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_BODY_S", 0.2)
    whole, gone = {"type": "http.request", "body": b"a"}, {"type": "http.disconnect"}
    assert received((0, whole), (0.5, gone)) == [whole, gone]


def test_who_is_answered_already_is_not_told_that_more_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a stream's reader is, while the body of the request may still be on its way."""
    large = {"type": "http.request", "body": b"a" * (MAX_BODY_KIB * 1024 + 1)}

    async def receive() -> Message:
        return large

    async def receive_twice() -> Message:
        body = guard.Body(receive, Headers())
        with pytest.raises(Refusal):
            await body.receive()
        body.answered = True
        return await body.receive()

    assert asyncio.run(receive_twice()) == {"type": "http.disconnect"}


def test_very_many_headers_are_refused(browser: TestClient) -> None:
    """Whoever looks for one goes through all, many times: of 15,500 of them that made 0.1 s in which all wait."""
    headers = {f"x-{i}": "" for i in range(guard.MAX_HEADERS)}
    answer = browser.get("/zh/", headers=headers)
    assert (answer.status_code, answer.headers["Connection"]) == (431, "close")
    assert f"{guard.MAX_HEADERS} 个请求头" in answer.text
    assert browser.get("/zh/", headers=dict(list(headers.items())[:-20])).status_code == 200


def test_a_very_long_query_is_refused(browser: TestClient) -> None:
    """Whoever looks for one of its names takes all of it apart: 50 ms for 16 KiB of this, in which all wait."""
    answer = browser.get("/zh/search?" + "%&" * 3000)
    assert (answer.status_code, "问号后面" in answer.text) == (414, True)
    assert browser.get("/zh/search", params={"q": "学" * 100}).status_code == 200


def test_what_breaks_here_is_said_without_details(site: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    @site.get("/en/broken")
    def broken() -> None:
        raise ZeroDivisionError("a secret of ours")

    with TestClient(site, headers={"Accept-Language": "zh"}) as browser:
        page = browser.get("/en/broken")
    assert page.status_code == 500
    assert "Something of ours broke" in page.text
    assert "secret of ours" not in page.text
    assert "content-security-policy" in page.headers
    assert "a secret of ours" in caplog.text


def test_a_log_has_no_lines_of_a_visitor(site: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    @site.get("/en/broken/{name}")
    def broken() -> None:
        raise ZeroDivisionError

    with TestClient(site) as browser:
        assert browser.get("/en/broken/%0aCRITICAL%1b[31m").status_code == 500
    assert "GET /en/broken/\\nCRITICAL\\x1b[31m" in caplog.text


def answers(site: FastAPI, changes: Mapping[str, object], *received: Message) -> list[Message]:
    """What the site sends to a request that no client makes: a form's, but for `changes`."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/en/exercises/loop",
        "query_string": b"",
        "headers": [],
        "client": ("192.0.2.1", 1),
        **changes,
    }
    coming = iter(received)
    sent: list[Message] = []

    async def receive() -> Message:
        return next(coming)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(site(scope, receive, send))
    return sent


def test_who_goes_away_while_sending_is_no_fault_of_ours(site: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    piece = {"type": "http.request", "body": b"abc", "more_body": True}
    sent = answers(site, {"headers": [(b"content-length", b"1000")]}, piece, {"type": "http.disconnect"})
    assert (sent, caplog.text) == ([], "")


def test_an_address_without_a_path_is_refused_like_any_other(site: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    begin, *_ = answers(site, {"path": "", "query_string": b"x", "headers": [(b"sec-fetch-site", b"cross-site")]})
    assert (begin["status"], caplog.text) == (403, "")
    assert "content-security-policy" in Headers(raw=begin["headers"])


def test_a_page_is_compressed_about_as_fast_as_it_is_made(browser: TestClient) -> None:
    """At its best, gzip takes forty times as long for letters like these, and everybody waits."""
    source = "".join(random.Random(1).choice("ab") for _ in range(64 * 1024))
    number = browser.post(SUBMIT, json={"source": source}).json()["id"]

    def seconds(encoding: str) -> float:
        began = time.process_time()
        answer = browser.get(f"/api/submissions/{number}", headers={"Accept-Encoding": encoding})
        assert answer.headers.get("Content-Encoding", "identity") == encoding
        return time.process_time() - began

    plain, compressed = (min(seconds(encoding) for _ in range(5)) for encoding in ("identity", "gzip"))
    assert compressed < 6 * plain


def test_head_is_answered_like_get(browser: TestClient) -> None:
    assert browser.head("/en/").status_code == 200
    assert browser.head("/en/nothing").status_code == 404


def test_a_site_for_this_machine_answers_to_its_names_alone(site: FastAPI) -> None:
    local = create_app(site.state.settings, hosts=LOCAL_HOSTS)
    local.state.shelves = site.state.shelves
    with TestClient(local) as browser:
        for host in ("127.0.0.1:8001", "localhost", "[::1]:8001", "LOCALHOST:8001"):
            assert browser.get("/en/", headers={"Host": host}).status_code == 200, host
        for host in (
            "evil.example:8001",
            "127.0.0.1.evil.example",
            "localhost.",
            "evil@localhost@evil.example",
            "[",
            "",
        ):
            assert browser.get("/en/", headers={"Host": host}).status_code == 403, host
