"""Who is asking. The first visit makes an anonymous learner; a signed cookie remembers it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.responses import Response

from app.refusal import Refusal
from app.throttle import address_of
from app.words import N_
from judge import store

COOKIE = "learner"
# Browsers keep a cookie for 400 days at most; every visit begins them anew.
MAX_AGE_S = 400 * 24 * 3600
# From one address: a whole school may sit behind it, but who keeps no cookie cannot fill the database.
NEWCOMERS_A_MINUTE = 600
TOO_MANY_NEWCOMERS = N_("Too many new visitors come from your address. Wait a minute, then try again.")


def known_learner(request: Request) -> int:
    """The learner of the cookie, else a new one. The guard sets the cookie on the answer."""
    signer = URLSafeSerializer(request.app.state.settings.secret, salt=COOKIE)
    engine = request.app.state.engine
    learner_id = _read(signer, request.cookies.get(COOKIE, ""))
    if learner_id is None or not store.has_learner(engine, learner_id):
        if not request.app.state.newcomers.hit(address_of(request)):
            raise Refusal(429, TOO_MANY_NEWCOMERS)
        learner_id = store.add_learner(engine)
    cookie = Response()
    cookie.set_cookie(
        COOKIE,
        str(signer.dumps(learner_id)),
        max_age=MAX_AGE_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    request.state.cookie = cookie.headers["set-cookie"]
    return learner_id


def visitor(request: Request) -> int | None:
    """The learner of the cookie, if any: who only reads is not made a learner."""
    signer = URLSafeSerializer(request.app.state.settings.secret, salt=COOKIE)
    return _read(signer, request.cookies.get(COOKIE, ""))


def _read(signer: URLSafeSerializer, cookie: str) -> int | None:
    try:
        value = signer.loads(cookie)
    except BadSignature:
        return None
    return value if isinstance(value, int) else None


LearnerId = Annotated[int, Depends(known_learner)]
VisitorId = Annotated[int | None, Depends(visitor)]
