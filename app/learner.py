"""Who is asking: an anonymous learner, whose number a signed cookie holds. The store knows those who sent something."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.responses import Response

from app import cookies
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
# Submissions and runs: nobody writes so many programs, and each is kept or waited for. Not by address: one of a class
# could keep all others of it from sending.
SENDS_A_MINUTE = 60
TOO_MANY_SENDS = N_("You have sent very much within a minute. Wait a minute, then try again.")


def known_learner(request: Request) -> int:
    """The learner of the cookie, else one that nobody is yet. The guard sets the cookie on the answer.

    Nothing is written: pages must not wait for those who write.
    """
    learner_id = visitor(request) or store.draw_learner()
    cookie = Response()
    cookies.give(request, cookie, COOKIE, str(_signer(request).dumps(learner_id)), MAX_AGE_S)
    request.state.cookie = cookie.headers["set-cookie"]
    return learner_id


def sender(request: Request, learner_id: Annotated[int, Depends(known_learner)]) -> int:
    """The learner, who may send something: the store will keep it under their id."""
    state = request.app.state
    if not store.has_learner(state.engine, learner_id) and not state.newcomers.hit(address_of(request)):
        raise Refusal(429, TOO_MANY_NEWCOMERS)
    if not state.sends.hit(f"learner {learner_id}"):
        raise Refusal(429, TOO_MANY_SENDS)
    return learner_id


def visitor(request: Request) -> int | None:
    """The learner of the cookie, if any: who only reads the chapter is given none."""
    try:
        value = _signer(request).loads(cookies.get(request, COOKIE))
    except BadSignature:
        return None
    return value if isinstance(value, int) else None


def _signer(request: Request) -> URLSafeSerializer:
    return URLSafeSerializer(request.app.state.settings.secret, salt=COOKIE)


LearnerId = Annotated[int, Depends(known_learner)]
SenderId = Annotated[int, Depends(sender)]
VisitorId = Annotated[int | None, Depends(visitor)]
