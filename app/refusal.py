"""A request that is answered with a sentence instead of what it asked for."""

from __future__ import annotations

from starlette.exceptions import HTTPException

from app.words import N_


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
NOT_UNDERSTOOD = N_("This request cannot be understood.")
BROKEN = N_("Something of ours broke. It is not your doing, and your submissions are kept.")

BY_STATUS = {404: NOT_FOUND, 500: BROKEN}


def refusal(error: HTTPException) -> Refusal:
    """Any HTTP error, with a sentence of ours."""
    if isinstance(error, Refusal):
        return error
    return Refusal(error.status_code, BY_STATUS.get(error.status_code, NOT_UNDERSTOOD))
