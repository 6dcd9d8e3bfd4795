"""Who is an instructor: whoever opened, in this browser, the link that the site prints when it starts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from fastapi import Request
from itsdangerous import BadSignature, Signer, URLSafeTimedSerializer
from starlette.responses import Response

from app import cookies, view
from app.refusal import Refusal
from app.throttle import address_of
from app.words import N_
from judge.exercise import Problem

COOKIE = "instructor"
MAX_AGE_S = 90 * 24 * 3600
WRONG_KEYS_A_MINUTE = 10
TOO_MANY_WRONG_KEYS = N_("Too many wrong keys come from your address. Wait a minute, then try again.")


def key(secret: str) -> str:
    """What the link carries. Only who knows the site's secret can make it; another secret makes it void."""
    return _key_signer(secret).get_signature(COOKIE).decode()


def holds_key(request: Request, given: str) -> bool:
    """Whether it is the key. Who guesses is soon refused; others of that address are not, since nobody can guess it."""
    right = _key_signer(request.app.state.settings.secret).verify_signature(COOKIE, given)  # in constant time
    if not right and not request.app.state.wrong_keys.hit(address_of(request)):
        raise Refusal(429, TOO_MANY_WRONG_KEYS)
    return right


def remember(request: Request, response: Response) -> None:
    """Let this browser be an instructor's from now on."""
    cookies.give(request, response, COOKIE, str(_cookie_signer(request).dumps(COOKIE)), MAX_AGE_S)


def is_instructor(request: Request) -> bool:
    try:
        value, made = _cookie_signer(request).loads(cookies.get(request, COOKIE), return_timestamp=True)
    except BadSignature:
        return False
    # Not the signer's own `max_age`: that refuses what was signed before the clock was put back.
    return bool(value == COOKIE and datetime.now(UTC) - made < timedelta(seconds=MAX_AGE_S))


def problems(request: Request) -> dict[str, Problem]:
    """What is wrong with folders, by their names. Learners see nothing of it."""
    if not is_instructor(request):
        return {}
    return {problem.folder.name: problem for problem in view.shelf(request).problems}


def _key_signer(secret: str) -> Signer:
    return Signer(secret, salt="key of instructors")


def _cookie_signer(request: Request) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(request.app.state.settings.secret, salt=COOKIE)
