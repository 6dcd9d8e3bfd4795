"""The desk that takes a reader's runs in and tells how they go. Nothing here runs what is sent: a worker does."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, Field, JsonValue
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from app.follow import Waiting, follow_run
from app.learn import find_exercise
from app.learner import LearnerId, SenderId
from app.pages import fragment, language
from app.refusal import NO_RUN, NO_STUDY, Refusal, refused_by_store
from app.streams import Streams
from app.submit import Solution
from app.threads import writing
from judge import runs, store
from judge.language import localized, translator
from judge.run import Ended, RunEvent

router = APIRouter()


class Code(BaseModel):
    """Blocks that build on each other. They all run, and only what the last one prints is told."""

    blocks: list[str] = Field(min_length=1, max_length=runs.MAX_BLOCKS)
    processes: bool = False


class Accepted(BaseModel):
    id: int


@router.post("/api/runs", status_code=201)
async def start(request: Request, code: Code, learner_id: SenderId) -> Accepted:
    return await writing(partial(started, request, learner_id, code.blocks, processes=code.processes))


@router.post("/api/exercises/{exercise_id}/study", status_code=201)
async def start_study(request: Request, exercise_id: str, solution: Solution, learner_id: SenderId) -> Accepted:
    """Run the exercise's study after the learner's code. It is a run as every other."""
    study = (await run_in_threadpool(find_exercise, request, exercise_id)).study
    if study is None:
        raise Refusal(404, NO_STUDY)
    blocks, names = [solution.source, study.program], ["solution.py", "study.py"]
    return await writing(partial(started, request, learner_id, blocks, names=names))


def started(
    request: Request, learner_id: int, blocks: list[str], *, names: Sequence[str] = (), processes: bool = False
) -> Accepted:
    try:
        run = runs.start(request.app.state.engine, learner_id, blocks, names=names, processes=processes)
    except store.Refused as error:
        raise refused_by_store(error) from None
    assert run.id is not None
    request.app.state.queue.enqueue_run_soon(run.id, run.after)
    return Accepted(id=run.id)


@router.post("/api/runs/{run_id}/stop", status_code=204)
async def stop(request: Request, run_id: int, learner_id: LearnerId) -> None:
    await run_in_threadpool(check_own, request, run_id, learner_id)
    await writing(runs.stop, request.app.state.engine, run_id)
    request.app.state.queue.withdraw_run_soon(run_id)


@router.get("/api/runs/{run_id}/events", response_class=EventSourceResponse)
async def run_events(
    request: Request, run_id: int, learner_id: LearnerId, last_event_id: Annotated[str, Header()] = ""
) -> EventSourceResponse:
    """Server-sent events of a run, ending with `ended`, whose `html` is what the page shows."""
    await run_in_threadpool(check_own, request, run_id, learner_id)
    lang = language(request)

    async def events() -> AsyncIterator[ServerSentEvent]:
        async for place, event in follow_run(request.app.state.engine, run_id, last_event_id):
            yield ServerSentEvent(json.dumps(shown(event, lang)), id=str(place))

    streams: Streams = request.app.state.streams
    return streams.opened(learner_id, events())


def shown(event: RunEvent | Waiting, lang: str) -> dict[str, JsonValue]:
    """An event in one language."""
    if isinstance(event, Waiting):
        return {"event": "waiting", "position": event.position, "silent": event.silent}
    data = localized(event, translator(lang))
    return {**data, "html": fragment(lang, "results/ended.html", ended=data)} if isinstance(event, Ended) else data


def check_own(request: Request, run_id: int, learner_id: int) -> None:
    """Another's run looks like none at all."""
    run = runs.get(request.app.state.engine, run_id) if 0 < run_id < 2**31 else None
    if run is None or run.learner_id != learner_id:
        raise Refusal(404, NO_RUN)
