"""What holds for every request, whichever page it asks for.

Theory of operation. One ASGI layer around the whole site:

- A request that writes must come from our own pages. Browsers say where it comes from in `Sec-Fetch-Site`, older ones
  in `Origin`; a client that sends neither is no browser and carries nobody's cookie but its own.
- A body says its length and is counted while it arrives. What has arrived waits in memory for the rest, so the rest has
  to come soon: thousands of senders who pause would fill it. A body in chunks, which may be of a byte each, would keep
  everybody waiting while it is taken apart. Who is answered before all has come is not listened to any longer.
- Cookies in quotes are none of ours and left out: Python before 3.11.10 and 3.12.6 takes the square of their length to
  unquote them (CVE-2024-7592), and everybody waits meanwhile.
- Told its names (`hosts`), the site answers to these only, as an exercise's preview does: another site may have its own
  name lead here, and would then be the same site to a browser.
- Every answer carries a Content-Security-Policy that allows our own files and nothing inline. The one exception is a
  style nonce, new for each answer, because the editor makes its style sheet in the page.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.refusal import BROKEN, Refusal
from app.words import N_
from judge.text import on_one_line

# A solution of 64 KiB may be longer on its way: JSON and forms escape what they carry.
MAX_BODY_KIB = 400
MAX_BODY_S = 30.0  # for all of it
MAX_QUERY_BYTES = 5 * 1024  # who looks for a name in it takes all of it apart; searches that are pasted are shortened
MAX_HEADERS = 100  # browsers send some 20, and whoever looks for one goes through all
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

CROSS_SITE = N_("This request came from another site. Open the page here and submit again.")
QUERY_TOO_LONG = N_("What stands behind the question mark in this address is too long.")
TOO_MANY_HEADERS = N_("A request has {limit} headers at most.")
BODY_TOO_LARGE = N_("What was sent is larger than {limit_kib} KiB.")
BODY_IN_CHUNKS = N_("What is sent has to say its length (Content-Length).")
BODY_TOO_SLOW = N_("What was sent has not arrived whole within {limit_s:.0f} s. Send it again.")

logger = logging.getLogger(__name__)


class Guard:
    def __init__(
        self, app: ASGIApp, refuse: Callable[[Request, Refusal], ASGIApp], hosts: Collection[str] = ()
    ) -> None:
        self.app = app
        self.refuse = refuse
        self.hosts = hosts  # the names that the site answers to; without any, to all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["nonce"] = secrets.token_urlsafe(16)
        headers, query = scope["headers"], scope["query_string"]
        scope["query_string"] = query if len(query) <= MAX_QUERY_BYTES else b""
        scope["headers"] = [_without_quoted_cookies(name, value) for name, value in headers[:MAX_HEADERS]]
        request = Request(scope)
        body = Body(receive, request.headers)

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                body.answered = True
                answer_headers = MutableHeaders(scope=message)
                _add_headers(answer_headers, state, message["status"])
                if not body.whole:
                    answer_headers["Connection"] = "close"
            await send(message)

        try:
            if len(query) > MAX_QUERY_BYTES:
                raise Refusal(414, QUERY_TOO_LONG)
            if len(headers) > MAX_HEADERS:
                body.whole = False  # its length may be among what was left out
                raise Refusal(431, TOO_MANY_HEADERS, limit=MAX_HEADERS)
            if self.hosts and asked_host(request.headers) not in self.hosts:
                raise Refusal(403, CROSS_SITE)
            if scope["method"] not in SAFE_METHODS and not from_own_site(request.headers):
                raise Refusal(403, CROSS_SITE)
            if "transfer-encoding" in request.headers:
                raise Refusal(411, BODY_IN_CHUNKS)
            # HEAD is GET without its body, which the server leaves out.
            inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self.app(inner, body.receive, guarded_send)
        except ClientDisconnect:
            return
        except Exception as error:
            if body.answered:
                raise
            if not isinstance(error, Refusal):
                logger.exception("%s %s", scope["method"], on_one_line(scope["path"]))
            answer = self.refuse(request, error if isinstance(error, Refusal) else Refusal(500, BROKEN))
            await answer(scope, receive, guarded_send)


def _without_quoted_cookies(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    if name == b"cookie" and b'"' in value:
        value = b";".join(cookie for cookie in value.split(b";") if b'"' not in cookie)
    return name, value


def asked_host(headers: Headers) -> str:
    """The name that the request asks for, as its sender wrote it."""
    return re.sub(r":\d*$", "", headers.get("host", "")).strip("[]").lower()


def from_own_site(headers: Headers) -> bool:
    if "sec-fetch-site" in headers:
        return headers["sec-fetch-site"] in ("same-origin", "none")
    if "origin" in headers:
        return headers["origin"].partition("://")[2] == headers.get("host")
    return True


class Body:
    """What is sent with a request, as it arrives."""

    def __init__(self, receive: Receive, headers: Headers) -> None:
        self.whole = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
        self.answered = False  # whether the answer to the request has begun
        self._receive = receive
        self._left_bytes = MAX_BODY_KIB * 1024
        self._deadline = asyncio.get_running_loop().time() + MAX_BODY_S

    async def receive(self) -> Message:
        """The next piece; raises Refusal where there are too many bytes, or they come too slowly."""
        try:
            return await self._received()
        except Refusal:
            if self.answered:  # too late to be told
                return {"type": "http.disconnect"}
            raise

    async def _received(self) -> Message:
        # What is waited for after the body is that the sender goes away.
        deadline = None if self.whole else self._deadline
        try:
            async with asyncio.timeout_at(deadline):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(408, BODY_TOO_SLOW, limit_s=MAX_BODY_S) from None
        self.whole = not message.get("more_body", False)
        self._left_bytes -= len(message.get("body", b""))
        if self._left_bytes < 0:
            raise Refusal(413, BODY_TOO_LARGE, limit_kib=MAX_BODY_KIB)
        return message


def _add_headers(headers: MutableHeaders, state: dict[str, str], status: int) -> None:
    headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{state['nonce']}'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    # Not `no-referrer`: a form would then be sent with `Origin: null` and be refused as foreign.
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers.setdefault("Cache-Control", "private, no-store")
    # Not with a refusal that comes late: what was sent meanwhile is already under another's cookie.
    if "cookie" in state and status < 400:
        headers.append("Set-Cookie", state["cookie"])
