"""A request that is answered with a sentence instead of what it asked for."""

from __future__ import annotations

from starlette.exceptions import HTTPException

from app.words import N_
from judge import store


class Refusal(HTTPException):
    """Raised anywhere; becomes a page or JSON with the sentence in the reader's language (`app.pages.refused`)."""

    def __init__(self, status: int, msgid: str, **values: object) -> None:
        super().__init__(status, detail=msgid)
        self.msgid = msgid
        self.values = values


NOT_FOUND = N_("There is no page here.")
NO_EXERCISE = N_("There is no exercise of that name.")
NO_SECTION = N_("The chapter has no section of that name.")
NO_SUBMISSION = N_("There is no submission of yours with that number.")
NO_RUN = N_("There is no run of yours with that number.")
NO_STUDY = N_("This exercise has no study.")
NOT_UNDERSTOOD = N_("This request cannot be understood.")
BROKEN = N_("Something of ours broke. It is not your doing, and your submissions are kept.")
AWAY = N_(
    "The site cannot store or read anything at the moment. What was accepted before is kept. Keep your code and try "
    "again in a minute."
)

BY_STATUS = {404: NOT_FOUND, 500: BROKEN}
STATUS_OF = {
    store.TooLarge: 413,
    store.ProgramTooLarge: 413,
    store.TooManyPending: 429,
    store.TooManyRuns: 429,
    store.QueueFull: 503,
}


def refused_by_store(error: store.Refused) -> Refusal:
    return Refusal(STATUS_OF[type(error)], error.message.template, **error.message.values)


def refusal(error: HTTPException) -> Refusal:
    """Any HTTP error, with a sentence of ours."""
    if isinstance(error, Refusal):
        return error
    return Refusal(error.status_code, BY_STATUS.get(error.status_code, NOT_UNDERSTOOD))
