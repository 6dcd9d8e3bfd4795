"""Markdown of exercises and sections to HTML, with code highlighted by class names, and learners' code as it is."""

from __future__ import annotations

import functools
import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from judge.text import visible

FORMATTER = HtmlFormatter(nowrap=True)
# It can be reached and scrolled by keyboard. What is put into it is escaped, unless it is markup already.
PRE = Markup('<pre class="code" tabindex="0"><code>{}</code></pre>')


def _highlighted(source: str, language: str, _attributes: str = "") -> Markup:
    """An author's code. Learners' would have to be bounded: Pygments may take the square of its length."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return code(source)
    highlighted = highlight(_shown(source), lexer, FORMATTER)
    return PRE.format(Markup(highlighted))  # noqa: S704 - Pygments escapes what it highlights


def code(source: str) -> Markup:
    """A learner's code, or an author's in no language that is known."""
    return PRE.format(_shown(source))


def _shown(source: str) -> str:
    return visible(source.replace("\r\n", "\n"))


MARKDOWN = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")
MARKDOWN.add_render_rule(
    "fence", lambda self, tokens, i, options, env: _highlighted(tokens[i].content, tokens[i].info.strip())
)

# Chinese characters and the punctuation that stands between them.
WIDE = re.compile("[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")

CODE_SPAN = re.compile("`([^`]+)`")


def _join_wide_lines(state: StateCore) -> None:
    """Chinese text has no spaces, so that a line broken in the source must not become one."""
    for token in state.tokens:
        children = token.children or []
        for before, here, after in zip(children, children[1:], children[2:], strict=False):
            if here.type == "softbreak" and WIDE.match(before.content[-1:]) and WIDE.match(after.content[:1]):
                here.type, here.content = "text", ""


def _empty_headers_are_none(state: StateCore) -> None:
    """The corner of a table whose rows have names too: as a header, it would name nothing."""
    for before, here, after in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if before.type == "th_open" and here.content == "":
            before.tag = after.tag = "td"


MARKDOWN.core.ruler.push("join_wide_lines", _join_wide_lines)
MARKDOWN.core.ruler.push("empty_headers_are_none", _empty_headers_are_none)


@functools.lru_cache(maxsize=256)
def markdown(source: str) -> Markup:
    return Markup(MARKDOWN.render(source))  # noqa: S704 - raw HTML is off, so everything in it is escaped


def python(source: str) -> Markup:
    """An author's Python."""
    return _highlighted(source, "python")


def inline(sentence: str) -> Markup:
    """An authored sentence, in which `backticks` set code. What a learner's values put into it is text."""
    return Markup(CODE_SPAN.sub(r"<code>\1</code>", str(escape(visible(sentence)))))  # noqa: S704 - escaped just before
