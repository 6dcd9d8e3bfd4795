"""The cookies that say who somebody is: signed by their makers, and out of every script's reach."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response


def name(request: Request, role: str) -> str:
    """What the cookie of a role is called in a browser.

    With `__Host-` before it, which needs https, browsers take it from this very host alone: a neighbouring name could
    else have somebody send as another. A preview, at another port of the site's host, leaves the site's cookies alone.
    """
    own = f"preview-{role}" if request.app.state.preview else role
    return f"__Host-{own}" if request.url.scheme == "https" else own


def get(request: Request, role: str) -> str:
    return request.cookies.get(name(request, role), "")


def give(request: Request, response: Response, role: str, value: str, max_age_s: int) -> None:
    response.set_cookie(
        name(request, role),
        value,
        max_age=max_age_s,
        httponly=True,
        samesite="lax",  # with `strict`, a link to the site would not work from a mail or a chat
        secure=request.url.scheme == "https",
    )
