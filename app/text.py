"""Markdown of exercises to HTML, and Python to highlighted code. Both give class names only, no style attributes."""

from __future__ import annotations

import functools

from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from judge.text import visible

FORMATTER = HtmlFormatter(nowrap=True)


def _highlighted(code: str, language: str, _attributes: str = "") -> str:
    """A whole <pre>, which can be reached and scrolled by keyboard."""
    code = visible(code.replace("\r\n", "\n"))
    try:
        inner = highlight(code, get_lexer_by_name(language), FORMATTER) if language else str(escape(code))
    except ClassNotFound:
        inner = str(escape(code))
    return f'<pre class="code" tabindex="0"><code>{inner}</code></pre>'


MARKDOWN = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")
MARKDOWN.add_render_rule(
    "fence", lambda self, tokens, i, options, env: _highlighted(tokens[i].content, tokens[i].info.strip())
)


@functools.lru_cache(maxsize=256)
def markdown(source: str) -> Markup:
    return Markup(MARKDOWN.render(source))  # noqa: S704 - raw HTML is off, so everything in it is escaped


@functools.lru_cache(maxsize=256)
def python(source: str) -> Markup:
    return Markup(_highlighted(source, "python"))  # noqa: S704 - Pygments escapes what it highlights
