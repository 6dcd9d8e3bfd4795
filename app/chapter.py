"""The chapter's pages: contents, sections, the data of the figures; and the search over it and the exercises."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app import view
from app.learn import Lang, State, states_of
from app.learner import VisitorId
from app.pages import render
from app.refusal import NO_SECTION, NOT_FOUND, Refusal
from app.search import MAX_QUERY_CHARACTERS, search
from app.section import Cards, Drawn, SectionPage, contents, section
from chapter.read import ROOT
from judge.exercise import Exercise

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Card:
    """A practice card. An exercise that does not exist yet is announced by its name alone."""

    id: str
    exercise: Exercise | None
    state: State


@router.get("/{lang}/chapter")
def chapter_contents(request: Request, lang: Lang) -> Response:
    return render(request, "chapter.html", sections=contents(lang))


@router.get("/{lang}/chapter/{slug}")
def chapter_section(request: Request, lang: Lang, slug: str, learner_id: VisitorId) -> Response:
    sections = contents(lang)
    try:
        shown = section(lang, slug)
    except KeyError:
        raise Refusal(404, NO_SECTION) from None
    at = shown.number - 1
    return render(
        request,
        "chapter_section.html",
        section=shown,
        sections=sections,
        before=sections[at - 1] if at else None,
        after=sections[at + 1] if at + 1 < len(sections) else None,
        pieces=pieces(request, shown, learner_id),
        figure_path=figure_path,
    )


def pieces(request: Request, shown: SectionPage, learner_id: int | None) -> list[tuple[str, object]]:
    """The section's pieces with a word for each kind, its cards filled in for this reader."""
    exercises = view.shelf(request).exercises
    states: dict[str, State] = states_of(request, learner_id) if shown.cards_under and learner_id else {}
    found: list[tuple[str, object]] = []
    for piece in shown.pieces:
        match piece:
            case Cards(names):
                found.append(("cards", [Card(name, exercises.get(name), states.get(name, "new")) for name in names]))
            case Drawn():
                found.append(("figure", piece))
            case _:
                found.append(("text", piece))
    return found


# --- What the figures read

FIGURES = ("orders", "spiral")


@functools.cache
def figure_data(name: str) -> tuple[bytes, str]:
    """A figure's data and a word that names its content."""
    data = (ROOT / f"{name}.json").read_bytes()
    return data, hashlib.sha256(data).hexdigest()[:12]


def figure_path(name: str) -> str:
    return f"/chapter/{figure_data(name)[1]}/{name}.json"


@router.get("/chapter/{digest}/{name}.json")
def figure_file(digest: str, name: str) -> Response:
    if name not in FIGURES or digest != figure_data(name)[1]:
        raise Refusal(404, NOT_FOUND)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(figure_data(name)[0], media_type="application/json", headers=headers)


# --- Search


@router.get("/{lang}/search")
def search_page(request: Request, lang: Lang, q: Annotated[str, Query()] = "") -> Response:
    query = " ".join(q[:MAX_QUERY_CHARACTERS].split())
    found = search(query, lang, view.shelf(request))
    return render(request, "search.html", query=query, found=found, longest=MAX_QUERY_CHARACTERS)
