"""Templates and what every page of them knows: its language, its words, its nonce."""

from __future__ import annotations

import json
from pathlib import Path

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, JSONResponse, Response

from app import text, view
from app.instructor import is_instructor
from app.refusal import Refusal
from app.words import HTML_LANGUAGES, LANGUAGES, best_language, script_words, words
from judge.store import MAX_SOURCE_KIB
from judge.text import visible

ROOT = Path(__file__).resolve().parent.parent
THEMES = ("light", "dark")


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


templates = Environment(
    loader=FileSystemLoader(ROOT / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
templates.filters |= {
    "visible": visible,
    "inline": text.inline,
    "markdown": text.markdown,
    "code": text.code,
    "python": text.python,
    "json": json_text,
}
templates.globals |= {
    "check_words": view.CHECK_WORDS,
    "difficulties": view.DIFFICULTIES,
    "icon": view.icon,
    "headline": view.headline,
    "duration": view.duration,
    "check_titles": view.check_titles,
    "failing_count": view.failing_count,
    "lang_attribute": view.lang_attribute,
    "max_source_kib": MAX_SOURCE_KIB,
}


def language(request: Request) -> str:
    """The language of an answer: that of the path, else `?lang=`, else what the reader prefers."""
    first = request.url.path.partition("/")[2].partition("/")[0]
    if first in LANGUAGES:
        return first
    if request.query_params.get("lang") in LANGUAGES:
        return request.query_params["lang"]
    return best_language(request.headers.get("accept-language", ""), request.cookies.get("lang"))


def render(request: Request, template: str, status: int = 200, **context: object) -> Response:
    lang = language(request)
    theme = request.cookies.get("theme")
    path = request.url.path
    html = templates.get_template(template).render(
        _=words(lang),
        lang=lang,
        html_lang=HTML_LANGUAGES[lang],
        languages=LANGUAGES,
        # The same page in another language: every page's path begins with its language.
        path_after_language=path[len(lang) + 1 :] if path.startswith(f"/{lang}/") else "/",
        asked=f"?{request.url.query}" if request.url.query else "",
        theme=theme if theme in THEMES else None,
        nonce=request.state.nonce,
        instructor=is_instructor(request),
        preview=request.app.state.preview,
        static=request.app.state.static_path,
        script_words=script_words(lang),
        **context,
    )
    response = HTMLResponse(html, status, headers={"Cache-Control": "private, no-cache"})
    if request.cookies.get("lang") != lang and path.startswith(f"/{lang}/"):
        response.set_cookie("lang", lang, max_age=400 * 24 * 3600, samesite="lax")
    return response


def fragment(lang: str, template: str, **context: object) -> str:
    """A piece of a page, for a script to put into it."""
    return templates.get_template(template).render(_=words(lang), lang=lang, **context)


def refused(request: Request, refusal: Refusal) -> Response:
    sentence = words(language(request))(refusal.msgid, **refusal.values)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": sentence}, refusal.status_code, headers=refusal.headers)
    return render(request, "refused.html", refusal.status_code, code=refusal.status_code, sentence=sentence)
