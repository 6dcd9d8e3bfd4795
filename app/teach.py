"""The instructor's desk: all exercises, the folders they are written in, and what is wrong with folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from app import view
from app.instructor import holds_key, is_instructor, remember
from app.learn import Lang
from app.pages import render
from app.refusal import NOT_FOUND, Refusal
from judge.exercise import Exercise, Problem, Shelf

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Folder:
    """A folder as the page lists it. Without `exercise`, learners see nothing of it."""

    path: Path
    exercise: Exercise | None
    problem: Problem | None


@router.get("/{lang}/teach")
def teach(request: Request, lang: Lang, key: Annotated[str, Query()] = "") -> Response:
    """To anybody but an instructor there is no such page."""
    if key and holds_key(request, key):
        answer = RedirectResponse(f"/{lang}/teach", 303)  # an address without the key, for history and bookmarks
        remember(request, answer)
        return answer
    if not is_instructor(request):
        raise Refusal(404, NOT_FOUND)
    return render(request, "teach.html", folders=folders(view.shelf(request)))


def folders(shelf: Shelf) -> list[Folder]:
    """All folders: exercises in course order, then those without one."""
    problems = {problem.folder: problem for problem in shelf.problems}
    shown = [Folder(path, shelf.exercises[name], problems.pop(path, None)) for name, path in shelf.folders.items()]
    return shown + [Folder(path, None, problem) for path, problem in problems.items()]
