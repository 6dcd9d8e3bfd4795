"""The preview of an exercise: a site of its own that shows the folder as it is at the moment.

`python judge.py preview ID` runs `python -m app.preview ID`. It is the real site with a real worker, on a database that
is gone afterwards, and two things more: every page loads again when the folder changes, and one page lists the folder's
own programs with their verdicts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Request
from pydantic import JsonValue
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from app import view
from app.guard import LOCAL_HOSTS
from app.learn import Lang
from app.main import create_app
from app.pages import fragment, language, render
from app.rehearsal import POLL_S, Program, Rehearsal, Round, outcome
from app.serving import CannotServe, Site
from app.settings import Settings
from app.words import words
from judge.command.exits import USAGE
from judge.exercise import configured_roots
from judge.language import LANGUAGES, localized
from judge.migrations import migrate


@asynccontextmanager
async def rehearsing(app: FastAPI) -> AsyncIterator[None]:
    with app.state.preview.running():
        yield


router = APIRouter(include_in_schema=False, lifespan=rehearsing)


@router.get("/{lang}/preview")
def programs_page(request: Request, lang: Lang) -> Response:
    shown: Round = request.app.state.preview.round
    wrong = [row(shown, program, lang) for program in shown.programs if program.mistake]
    others = [row(shown, program, lang) for program in shown.programs if not program.mistake]
    return render(request, "preview/programs.html", wrong=wrong, others=others)


def row(shown: Round, program: Program, lang: str) -> dict[str, object]:
    """What the page says about a program, in one language."""
    translate = view.translate(shown.exercise, lang)
    verdict = shown.verdicts.get(program.name)
    return {
        "program": program,
        "sentence": translate(program.mistake.sentence) if program.mistake else "",
        "verdict": localized(verdict, translate) if verdict else None,
        "outcome": outcome(program, verdict) if verdict else None,
    }


@router.get("/api/preview/events", response_class=EventSourceResponse)
async def preview_events(request: Request) -> EventSourceResponse:
    """What a page of the preview needs to know, as it happens: `version` of the folder, and programs judged."""
    rehearsal: Rehearsal = request.app.state.preview
    lang = language(request)

    async def events() -> AsyncIterator[ServerSentEvent]:
        version, sent = "", set[str]()
        while True:
            shown = rehearsal.round
            if shown.version != version:
                version, sent = shown.version, set()
                yield ServerSentEvent(json.dumps(news(shown, lang)))
            for program in shown.programs:
                if program.name in shown.verdicts and program.name not in sent:
                    sent.add(program.name)
                    yield ServerSentEvent(json.dumps(news(shown, lang, program)))
            await asyncio.sleep(POLL_S)

    return EventSourceResponse(events(), headers={"Cache-Control": "no-store"})


def news(shown: Round, lang: str, program: Program | None = None) -> dict[str, JsonValue]:
    count = words(lang)("{good} of {count} as they should be", good=shown.good, count=len(shown.programs))
    if program is None:
        return {"version": shown.version, "count": count}
    html = fragment(lang, "preview/program.html", row=row(shown, program, lang))
    return {"version": shown.version, "count": count, "program": program.name, "html": html}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m app.preview", description="Show an exercise while it is written.")
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    with tempfile.TemporaryDirectory(prefix="five-lines-preview-") as folder:
        database = f"sqlite:///{folder}/preview.sqlite"
        os.environ["FIVE_LINES_DATABASE"] = database  # the worker's as well
        settings = Settings(database, tuple(configured_roots()), secrets.token_urlsafe())
        app = create_app(settings, hosts=LOCAL_HOSTS if options.host in LOCAL_HOSTS else ())
        app.state.preview = Rehearsal(options.id, app.state.shelves, app.state.engine, app.state.queue)
        app.include_router(router)

        def greet(address: str) -> str:
            return greeting(f"{address}/{options.lang}", options.id)

        try:
            site = Site(app, options.host, options.port, greet)
        except CannotServe as reason:
            print(f"judge: {reason}", file=sys.stderr)
            return USAGE
        migrate(database)
        return site.serve_until_told(with_worker=True)


def greeting(address: str, exercise_id: str) -> str:
    return (
        f"As learners see it:  {address}/exercises/{exercise_id}\n"
        f"Its wrong programs:  {address}/preview\n"
        "Both follow every change of the folder. Ctrl+C ends the preview."
    )


if __name__ == "__main__":
    sys.exit(main())
