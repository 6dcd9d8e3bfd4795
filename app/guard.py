"""What holds for every request, whichever page it asks for.

Theory of operation. One ASGI layer around the whole site:

- A request that writes must come from our own pages. Browsers say where it comes from in `Sec-Fetch-Site`, older ones
  in `Origin`; a client that sends neither is no browser and carries nobody's cookie but its own.
- A body is counted while it arrives and cut off at its limit, whatever Content-Length says. What has arrived waits in
  memory for the rest, so the rest has to come soon: thousands of senders who pause would fill it.
- A site for this machine alone answers only to this machine's names: another site may have its own name lead here, and
  would then be the same site to a browser.
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
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.refusal import BROKEN, Refusal
from app.words import N_

# A solution of 64 KiB may be longer on its way: JSON and forms escape what they carry.
MAX_BODY_KIB = 512
MAX_BODY_S = 30.0  # for all of it
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

CROSS_SITE = N_("This request came from another site. Open the page here and submit again.")
BODY_TOO_LARGE = N_("What was sent is larger than {limit_kib} KiB.")
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
        request = Request(scope)
        began = False

        async def guarded_send(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                _add_headers(MutableHeaders(scope=message), state)
            await send(message)

        try:
            if self.hosts and asked_host(request.headers) not in self.hosts:
                raise Refusal(403, CROSS_SITE)
            if scope["method"] not in SAFE_METHODS and not from_own_site(request.headers):
                raise Refusal(403, CROSS_SITE)
            # HEAD is GET without its body, which the server leaves out.
            inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self.app(inner, bounded(receive, MAX_BODY_KIB * 1024), guarded_send)
        except Exception as error:
            if began:
                raise
            if not isinstance(error, Refusal):
                logger.exception("%s %s", scope["method"], scope["path"])
            answer = self.refuse(request, error if isinstance(error, Refusal) else Refusal(500, BROKEN))
            await answer(scope, receive, guarded_send)


def asked_host(headers: Headers) -> str:
    """The name that the request asks for, as its sender wrote it."""
    return re.sub(r":\d*$", "", headers.get("host", "")).strip("[]").lower()


def from_own_site(headers: Headers) -> bool:
    if "sec-fetch-site" in headers:
        return headers["sec-fetch-site"] in ("same-origin", "none")
    if "origin" in headers:
        return headers["origin"].partition("://")[2] == headers.get("host")
    return True


def bounded(receive: Receive, limit_bytes: int) -> Receive:
    seen_bytes = 0
    deadline: float | None = asyncio.get_running_loop().time() + MAX_BODY_S

    async def counted() -> Message:
        nonlocal seen_bytes, deadline
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            raise Refusal(408, BODY_TOO_SLOW, limit_s=MAX_BODY_S) from None
        if not message.get("more_body", False):
            deadline = None  # what is waited for after the body is that the sender goes away
        seen_bytes += len(message.get("body", b""))
        if seen_bytes > limit_bytes:
            raise Refusal(413, BODY_TOO_LARGE, limit_kib=MAX_BODY_KIB)
        return message

    return counted


def _add_headers(headers: MutableHeaders, state: dict[str, str]) -> None:
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
    if "cookie" in state:
        headers.append("Set-Cookie", state["cookie"])
