"""A section of the chapter as HTML, in pieces: what every reader gets alike, and the places of what a reader has alone.

The dialect is `chapter.read`'s. Its raw HTML is off, so everything a section says is escaped; what is put in beside the
text (measured numbers, their small pictures) comes from files of the project. Nothing here imports what runs a block.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from app import text
from app.words import words
from chapter import picture
from chapter.read import PLACEHOLDER, ROOT, Heading, Measured, fill, load_measured, parser, read, section_names
from judge.exercise import Exercise

LINK = re.compile(r"(?P<file>[\w-]+\.md)(?:#(?P<anchor>[a-z0-9-]+))?")
# A table of so many columns is set as one card a row where the window is narrow.
WIDE_TABLE_COLUMNS = 4


@dataclass(frozen=True)
class Cards:
    """Practice cards stand here; they show the state of who is reading."""

    exercises: tuple[str, ...]


@dataclass(frozen=True)
class Drawn:
    """A script draws a figure here, above the words that say the same."""

    name: str
    words: Markup


Piece = Markup | Cards | Drawn


@dataclass(frozen=True)
class SectionPage:
    slug: str
    number: int
    title: str
    parts: tuple[Heading, ...]  # the headings a list of contents shows
    anchors: frozenset[str]
    pieces: tuple[Piece, ...]
    cards_under: Mapping[str, str]  # exercise -> the anchor its first card stands under

    @property
    def figures(self) -> list[str]:
        return [piece.name for piece in self.pieces if isinstance(piece, Drawn)]


def slug_of(file_name: str) -> str:
    """`03-loop.md` -> `loop`: sections may be numbered anew, their addresses stay."""
    return file_name.removesuffix(".md").partition("-")[2]


@functools.cache
def files() -> dict[str, str]:
    """slug -> file name, in reading order; the same in every language."""
    return {slug_of(name): name for name in section_names("en")}


def address(lang: str, slug: str, anchor: str = "") -> str:
    return f"/{lang}/chapter/{slug}" + (f"#{anchor}" if anchor else "")


@functools.cache
def contents(lang: str) -> tuple[SectionPage, ...]:
    return tuple(section(lang, slug) for slug in files())


@functools.cache
def section(lang: str, slug: str) -> SectionPage:
    """KeyError when there is no such section."""
    name = files()[slug]
    read_section = read(lang, name)
    source = fill((ROOT / lang / name).read_text(encoding="utf-8"), load_measured())
    markdown = renderer()
    tokens = markdown.parse(source)
    return SectionPage(
        slug=slug,
        number=list(files()).index(slug) + 1,
        title=read_section.title,
        parts=tuple(heading for heading in read_section.headings if heading.level == 2),
        anchors=frozenset(heading.anchor for heading in read_section.headings if heading.anchor),
        pieces=tuple(_pieces(markdown, tokens, lang)),
        cards_under=_cards_under(tokens),
    )


def reading_of(exercise: Exercise, lang: str) -> tuple[str, str] | None:
    """Where the chapter treats an exercise, and that section's title.

    `chapter` in exercise.toml names a section, or a part of one as in `data#collate`. Where it names none, the part
    with the exercise's first practice card is meant.
    """
    slug, _, anchor = exercise.chapter.partition("#")
    try:
        treated = section(lang, slug)
    except KeyError:
        return None
    if anchor not in treated.anchors:
        anchor = treated.cards_under.get(exercise.id, "")
    return address(lang, slug, anchor), treated.title


def _cards_under(tokens: Sequence[Token]) -> dict[str, str]:
    anchor, found = "", dict[str, str]()
    for token in tokens:
        if token.type == "heading_open":
            anchor = str(token.attrs.get("id", ""))
        elif token.type == "container_practice_open":
            for exercise in token.info.split()[1:]:
                found.setdefault(exercise, anchor)
    return found


def _pieces(markdown: MarkdownIt, tokens: Sequence[Token], lang: str) -> Iterator[Piece]:
    """Cuts where a card or a figure stands; these stand on the page itself, in nothing else."""
    env: dict[str, object] = {"lang": lang, "measured": load_measured()}
    kept: list[Token] = []
    drawn = ""

    def rendered() -> Markup:
        html = markdown.renderer.render(kept, markdown.options, env)
        kept.clear()
        return Markup(html)  # noqa: S704 - raw HTML is off, and the rules below escape what they are given

    for token in tokens:
        match token.type:
            case "container_practice_open":
                if kept:
                    yield rendered()
                yield Cards(tuple(token.info.split()[1:]))
            case "container_figure_open":
                if kept:
                    yield rendered()
                drawn = token.info.split()[1]
            case "container_figure_close":
                yield Drawn(drawn, rendered())
            case "container_practice_close":
                pass
            case _:
                kept.append(token)
    if kept:
        yield rendered()


# --- How each thing is set


@functools.cache
def renderer() -> MarkdownIt:
    markdown = parser()
    markdown.core.ruler.push("wide_tables", lambda state: _mark_wide_tables(state.tokens))
    for name, rule in {
        "text": _text,
        "fence": _fence,
        "heading_open": _heading_open,
        "heading_close": _heading_close,
        "link_open": _link_open,
        "container_details_open": _details_open,
        "container_details_close": lambda *_: "</details>\n",
        "table_open": _table_open,
        "table_close": lambda *_: "</table></div>\n",
    }.items():
        markdown.add_render_rule(name, rule)
    return markdown


def _text(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    content = tokens[index].content
    html, end = "", 0
    for match in PLACEHOLDER.finditer(content):
        html += escape(content[end : match.start()]) + measured_picture(match.group(2), env["measured"], env["lang"])
        end = match.end()
    return html + str(escape(content[end:]))


def few_digits(number: float) -> str:
    return f"{number:.3g}"


def measured_picture(failure: str, measured: Measured, lang: str) -> Markup:
    """The two curves of a failure, and in words where each begins and ends."""
    series = measured[failure]["series"]
    assert isinstance(series, dict)
    _ = words(lang)
    names = {"right": _("right"), "wrong": _("with the mistake")}
    said = [
        _("{name}: from {first} to {last}", name=names[name], first=few_digits(values[0]), last=few_digits(values[-1]))
        for name, values in series.items()
    ]
    return Markup(picture.svg(series, _("; ").join(said)))  # noqa: S704 - it escapes its label, and numbers are all else


def _fence(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """A block and, under it, what it printed: `chapter.read` has seen to it that one follows the other."""
    fence = tokens[index]
    language, *flags = fence.info.split()
    if language == "python":
        says = (" data-continues" if "continue" in flags else "") + (" data-workers" if "workers" in flags else "")
        return f'<div class="block"{says}>\n{text.python(fence.content)}\n'
    _ = words(env["lang"])
    label, output = escape(_("It prints")), escape(fence.content)
    return f'<p class="block__label">{label}</p><pre class="code output" tabindex="0">{output}</pre>\n</div>\n'


def _heading_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    heading = tokens[index]
    anchor = heading.attrs.get("id")
    if anchor is None:
        return f"<{heading.tag}>"
    return f'<{heading.tag} id="{escape(anchor)}"><a class="anchor" href="#{escape(anchor)}">'


def _heading_close(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    anchored = "id" in tokens[index - 2].attrs  # a heading is three tokens: open, its text, close
    return ("</a>" if anchored else "") + f"</{tokens[index].tag}>\n"


def _link_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    href = str(tokens[index].attrs["href"])
    if match := LINK.fullmatch(href):
        href = address(env["lang"], slug_of(match["file"]), match["anchor"] or "")
    return f'<a href="{escape(href)}">'


def _details_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    title = tokens[index].info.strip().partition(" ")[2]
    return f'<details class="answer"><summary>{escape(title)}</summary>\n'


def _table_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    # It may be wider than the window: then it can be reached and scrolled by keyboard.
    kind = " table--stacks" if tokens[index].meta.get("stacks") else ""
    role = ' role="table"' if kind else ""
    return f'<div class="table{kind}" tabindex="0"><table{role}>'


ROLES = {"thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "th": "columnheader", "td": "cell"}


def _mark_wide_tables(tokens: Sequence[Token]) -> None:
    """Gives each cell its column's name. Set as cards, a table is none to a browser any more, so roles say it."""
    for start, token in enumerate(tokens):
        if token.type != "table_open":
            continue
        end = next(i for i in range(start, len(tokens)) if tokens[i].type == "table_close")
        inside = tokens[start:end]
        names = [
            inline.content
            for opening, inline in itertools.pairwise(inside)
            if opening.tag == "th" and opening.nesting == 1
        ]
        if len(names) < WIDE_TABLE_COLUMNS:
            continue
        token.meta["stacks"] = True
        column = 0
        for part in inside:
            if part.nesting != 1 or part.tag not in ROLES:
                continue
            part.attrSet("role", ROLES[part.tag])
            if part.tag == "tr":
                column = 0
            elif part.tag == "td":
                part.attrSet("data-column", names[column].replace("`", ""))
                column += 1
