"""The desk that takes submissions in and says what became of them: to scripts as JSON, to plain forms as pages.

It stores and enqueues; a worker judges. Nothing here runs what a learner sends.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Literal
from urllib.parse import parse_qs

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, JsonValue
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from app import view
from app.follow import Place, Waiting, follow
from app.learn import Lang, find_exercise, own_submission
from app.learner import LearnerId, SenderId
from app.pages import fragment, language
from app.refusal import NOT_UNDERSTOOD, Refusal, refused_by_store
from app.streams import Streams
from app.threads import writing
from judge import store, tables
from judge.exercise import Exercise
from judge.language import localized
from judge.verdict import CheckEnded, Event, FigureDrawn, Finished, Started

router = APIRouter()


class Solution(BaseModel):
    source: str


class Accepted(BaseModel):
    """A submission taken in. `position`: 1 is judged next, 0 is being judged."""

    id: int
    position: int


class SubmissionState(BaseModel):
    """A submission. `verdict` is there once `state` is done, its sentences in the language asked for."""

    id: int
    exercise: str
    state: Literal["queued", "judging", "done"]
    position: int | None
    source: str
    verdict: dict[str, JsonValue] | None


def take_in(request: Request, exercise_id: str, source: str, learner_id: int) -> int:
    exercise = find_exercise(request, exercise_id)
    try:
        submission_id = store.submit(request.app.state.engine, learner_id, exercise.id, source)
    except store.Refused as error:
        raise refused_by_store(error) from None
    request.app.state.queue.enqueue_soon(submission_id)
    return submission_id


@router.post("/api/exercises/{exercise_id}/submissions", status_code=201)
async def submit(request: Request, exercise_id: str, solution: Solution, learner_id: SenderId) -> Accepted:
    submission_id = await writing(take_in, request, exercise_id, solution.source, learner_id)
    position = await run_in_threadpool(store.position, request.app.state.engine, submission_id)
    return Accepted(id=submission_id, position=position or 0)


@router.post("/{lang}/exercises/{exercise_id}", include_in_schema=False)
async def submit_form(request: Request, lang: Lang, exercise_id: str, learner_id: SenderId) -> Response:
    """A form sent without a script."""
    try:
        # As browsers send it: where there is more than ASCII, taking it apart takes ten times as long.
        body = (await request.body()).decode("ascii")
        fields = await run_in_threadpool(parse_qs, body, keep_blank_values=True, max_num_fields=10)
        # A form sends every line end as CRLF.
        source = fields["source"][0].replace("\r\n", "\n")
    except (ValueError, KeyError):
        raise Refusal(422, NOT_UNDERSTOOD) from None
    submission_id = await writing(take_in, request, exercise_id, source, learner_id)
    return RedirectResponse(f"/{lang}/submissions/{submission_id}", 303)


@router.get("/api/submissions/{submission_id}")
def submission_state(request: Request, submission_id: int, learner_id: LearnerId) -> SubmissionState:
    submission = own_submission(request, submission_id, learner_id)
    shown = view.submission_view(request.app.state.engine, view.shelf(request), submission, language(request))
    return SubmissionState(
        id=shown.id,
        exercise=submission.exercise,
        state=tables.State(submission.state).value,
        position=shown.position,
        source=shown.source,
        verdict=dict(shown.verdict) if shown.verdict is not None else None,
    )


@router.get("/api/submissions/{submission_id}/events", response_class=EventSourceResponse)
async def submission_events(
    request: Request,
    submission_id: int,
    learner_id: LearnerId,
    last_event_id: Annotated[str, Header()] = "",
) -> EventSourceResponse:
    """Server-sent events of judging, ending with `finished`; `html` is what the page shows for each."""
    submission = await run_in_threadpool(own_submission, request, submission_id, learner_id)
    exercise = (await run_in_threadpool(view.shelf, request)).exercises.get(submission.exercise)
    lang = language(request)
    place = Place.parse(last_event_id, submission.attempt)

    async def events() -> AsyncIterator[ServerSentEvent]:
        async for place_now, event in follow(request.app.state.engine, submission_id, place):
            data = shown_event(event, submission, exercise, lang)
            yield ServerSentEvent(json.dumps(data), id=str(place_now))

    streams: Streams = request.app.state.streams
    return streams.opened(learner_id, events())


def shown_event(
    event: Event | Waiting, submission: tables.Submission, exercise: Exercise | None, lang: str
) -> dict[str, JsonValue]:
    """An event in one language, with the piece of the page that shows it."""
    if isinstance(event, Waiting):
        html = fragment(lang, "results/waiting.html", position=event.position, silent=event.silent)
        return {"event": "waiting", "position": event.position, "silent": event.silent, "html": html}
    translate = view.translate(exercise, lang)
    data = localized(event, translate)
    match event:
        case Started():
            html = fragment(lang, "results/started.html", checks=data["checks"])
        case CheckEnded():
            html = fragment(lang, "results/check.html", check=data["check"], figures=[])
        case FigureDrawn():
            html = fragment(lang, "results/figure.html", figure=data["figure"])
        case Finished(verdict=verdict):
            html = fragment(
                lang, "results/verdict.html", verdict=localized(verdict, translate), submission_id=submission.id
            )
    return {**data, "html": html}
