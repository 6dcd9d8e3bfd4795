"""The site, put together: `uvicorn --factory app.main:create_app`.

It may read the exercises, store and enqueue submissions and read verdicts. It has no way to run a learner's code: the
sandbox and the examiner are the worker's, in another process.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app import chapter, learn, submit
from app.guard import Guard
from app.pages import refused
from app.refusal import NOT_FOUND, NOT_UNDERSTOOD, Refusal, refusal
from app.settings import Settings, from_environment
from judge import store
from judge.exercise import load_exercises
from judge.queue import Queue

STATIC = Path(__file__).resolve().parent / "static"


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


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or from_environment()
    # The interactive API pages load scripts from elsewhere, which the site's policy forbids.
    app = FastAPI(title="Five Lines", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json", lifespan=closing)
    app.state.settings = settings
    app.state.engine = store.connect(settings.database)
    app.state.queue = Queue(settings.database)
    app.state.shelf = load_exercises(list(settings.exercises))
    app.state.static_path = f"/static/{content_hash(STATIC)}"
    app.mount(app.state.static_path, Unchanging(directory=STATIC))
    # In this order: to `/{lang}/...`, `api` looks like a language.
    app.include_router(submit.router)
    app.include_router(learn.router)
    app.include_router(chapter.router)
    app.add_middleware(GZipMiddleware)
    app.add_middleware(Guard, refuse=refused)

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        return refused(request, refusal(error))

    @app.exception_handler(RequestValidationError)
    def not_understood(request: Request, error: RequestValidationError) -> Response:
        in_path = any(problem["loc"][0] == "path" for problem in error.errors())
        return refused(request, Refusal(404, NOT_FOUND) if in_path else Refusal(422, NOT_UNDERSTOOD))

    return app
