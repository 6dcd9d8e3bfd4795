"""The site, put together: `uvicorn --factory app.main:create_app`.

It may read the exercises, store and enqueue submissions and read verdicts. It has no way to run a learner's code: the
sandbox and the examiner are the worker's, in another process.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app import chapter, learn, runs, submit, teach
from app.guard import Guard
from app.instructor import WRONG_KEYS_A_MINUTE
from app.learner import NEWCOMERS_A_MINUTE, SENDS_A_MINUTE
from app.pages import refused
from app.refusal import AWAY, NOT_FOUND, NOT_UNDERSTOOD, Refusal, refusal
from app.settings import Settings, from_environment
from app.streams import Streams
from app.threads import PATIENCE_S
from app.throttle import Throttle
from judge import database
from judge.queue import Queue
from judge.shelves import Shelves
from judge.text import on_one_line

STATIC = Path(__file__).resolve().parent / "static"

logger = logging.getLogger(__name__)


class Unchanging(StaticFiles):
    """Files under a path that names their content, so that a browser need never ask again."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def content_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


@asynccontextmanager
async def closing(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.queue.close()
    app.state.engine.dispose()


def create_app(settings: Settings | None = None, *, hosts: Collection[str] = ()) -> FastAPI:
    """The site. With `hosts` it answers only to these names."""
    settings = settings or from_environment()
    # The interactive API pages load scripts from elsewhere, which the site's policy forbids.
    app = FastAPI(title="Five Lines", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json", lifespan=closing)
    app.state.settings = settings
    app.state.engine = database.connect(settings.database, patience_s=PATIENCE_S)
    app.state.queue = Queue(settings.database)
    app.state.shelves = Shelves(settings.exercises)
    app.state.newcomers = Throttle(NEWCOMERS_A_MINUTE)
    app.state.sends = Throttle(SENDS_A_MINUTE)
    app.state.streams = Streams()
    app.state.wrong_keys = Throttle(WRONG_KEYS_A_MINUTE)
    app.state.preview = None  # a Rehearsal, where the site is the preview of an exercise
    app.state.static_path = f"/static/{content_hash(STATIC)}"
    app.mount(app.state.static_path, Unchanging(directory=STATIC))
    # In this order: to `/{lang}/...`, `api` looks like a language.
    app.include_router(submit.router)
    app.include_router(runs.router)
    app.include_router(learn.router)
    app.include_router(chapter.router)
    app.include_router(teach.router)
    # Not at 9: of 64 KiB of random a's and b's in a learner's code that makes 140 ms in which all wait, and not 2.
    app.add_middleware(GZipMiddleware, compresslevel=5)
    app.add_middleware(Guard, refuse=refused, hosts=hosts)

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        return refused(request, refusal(error))

    def away(request: Request, error: Exception) -> Response:
        path, cause = on_one_line(request.url.path), getattr(error, "orig", error)
        logger.error("%s %s: the database fails: %s", request.method, path, cause)
        return refused(request, Refusal(503, AWAY))

    for kind in database.AWAY:
        app.add_exception_handler(kind, away)

    @app.exception_handler(RequestValidationError)
    def not_understood(request: Request, error: RequestValidationError) -> Response:
        in_path = any(problem["loc"][0] == "path" for problem in error.errors())
        return refused(request, Refusal(404, NOT_FOUND) if in_path else Refusal(422, NOT_UNDERSTOOD))

    return app
