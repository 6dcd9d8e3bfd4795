"""Reads a section of the chapter: its headings, blocks, practice cards, links and placeholders.

Pure: text in, data out. The tests, the runner and the site all read the chapter through this module, so there is
one answer to what a block or an anchor is. The dialect itself is described in chapter/README.md.
"""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin

ROOT = Path(__file__).parent
LANGUAGES = ("en", "zh", "ko")
CONTAINERS = ("details", "practice", "figure")

ANCHOR = re.compile(r"\s*\{#([a-z0-9-]+)\}\s*$")
PLACEHOLDER = re.compile(r"\{\{(measured|picture)\.([a-z0-9_]+)(?:\.([a-z0-9_]+))?(?::([^{}]*))?\}\}")

Measured = Mapping[str, Mapping[str, object]]


class ChapterError(ValueError):
    """A section is not written in the chapter's dialect; the message says where and how."""


@dataclass(frozen=True)
class Heading:
    level: int
    title: str
    anchor: str
    line: int


@dataclass(frozen=True)
class Block:
    """A block of code that runs, and what it prints."""

    code: str
    output: str
    continues: bool  # goes on from the blocks before it, back to the last one that does not
    workers: bool  # starts processes of its own (a DataLoader with workers)
    line: int
    output_span: tuple[int, int]  # the lines of the output's text, without its fences


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    practices: tuple[tuple[str, ...], ...]  # one tuple of exercise ids a card
    figures: tuple[str, ...]
    links: tuple[str, ...]
    placeholders: tuple[str, ...]

    def chains(self) -> list[list[Block]]:
        """The blocks in the groups that run together, each group in a process of its own."""
        chains: list[list[Block]] = []
        for block in self.blocks:
            if block.continues:
                chains[-1].append(block)
            else:
                chains.append([block])
        return chains


def parser() -> MarkdownIt:
    """The chapter's Markdown: tables, the three containers, and anchors written behind headings."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    for name in CONTAINERS:
        markdown.use(container_plugin, name)
    markdown.core.ruler.push("heading_anchor", _take_anchors)
    markdown.core.ruler.push("wide_line_breaks", _join_wide_lines)
    return markdown


def _take_anchors(state: StateCore) -> None:
    """`## Title {#anchor}` becomes a heading with that id, and the mark leaves its text."""
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type != "heading_open":
            continue
        if mark := ANCHOR.search(inline.content):
            opening.attrSet("id", mark.group(1))
            inline.content = ANCHOR.sub("", inline.content)
            if inline.children:
                inline.children[-1].content = ANCHOR.sub("", inline.children[-1].content)


def _is_wide(character: str) -> bool:
    """Whether it belongs to a text without spaces. Korean letters are as wide as Chinese ones, and stand in words."""
    return unicodedata.east_asian_width(character) in "WF" and not "\uac00" <= character <= "\ud7a3"


def _is_joined(left: str, right: str) -> bool:
    """Whether Chinese would write these two characters without a space between."""
    marks = [c for c in left + right if _is_wide(c) and unicodedata.category(c).startswith("P")]
    return bool(marks) or (bool(left and right) and _is_wide(left) and _is_wide(right))


def _join_wide_lines(state: StateCore) -> None:
    """Drops line breaks inside Chinese text: a browser would show each as a space."""
    for token in state.tokens:
        children = token.children or []
        for before, child, after in zip(children, children[1:], children[2:], strict=False):
            if child.type == "softbreak" and _is_joined(before.content[-1:], after.content[:1]):
                child.type = "text"


def section_names(lang: str, root: Path = ROOT) -> list[str]:
    """The file names of a language's sections, in reading order."""
    return sorted(path.name for path in (root / lang).glob("*.md"))


def read(lang: str, name: str, root: Path = ROOT) -> Section:
    return parse(name, (root / lang / name).read_text(encoding="utf-8"))


def parse(name: str, text: str) -> Section:
    tokens = parser().parse(text)
    headings = tuple(_headings(tokens))
    if not headings or headings[0].level != 1 or headings[0].line != 0:
        raise ChapterError(f"{name}: the first line is not a heading of level 1")
    return Section(
        name=name,
        title=headings[0].title,
        headings=headings,
        blocks=tuple(_blocks(name, tokens)),
        practices=tuple(tuple(arguments) for arguments in _containers(tokens, "practice")),
        figures=tuple(" ".join(arguments) for arguments in _containers(tokens, "figure")),
        links=tuple(_links(tokens)),
        placeholders=tuple(match.group(0) for match in PLACEHOLDER.finditer(text)),
    )


def _first_line(token: Token) -> int:
    assert token.map is not None, "every block-level token carries its lines"
    return token.map[0]


def _headings(tokens: list[Token]) -> Iterable[Heading]:
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open":
            anchor = str(opening.attrs.get("id", ""))
            yield Heading(int(opening.tag[1:]), inline.content, anchor, _first_line(opening))


def _blocks(name: str, tokens: list[Token]) -> Iterable[Block]:
    fences = [token for token in tokens if token.type == "fence"]
    for index, fence in enumerate(fences):
        language, *flags = fence.info.split()
        line = _first_line(fence)
        if language != "python":
            continue
        if unknown := set(flags) - {"continue", "workers"}:
            raise ChapterError(f"{name}:{line + 1}: unknown flags {sorted(unknown)}")
        following = fences[index + 1] if index + 1 < len(fences) else None
        if following is None or following.info.strip() != "output" or following.map is None:
            raise ChapterError(f"{name}:{line + 1}: the block has no output under it")
        first, last = following.map
        yield Block(
            code=fence.content,
            output=following.content,
            continues="continue" in flags,
            workers="workers" in flags,
            line=line,
            output_span=(first + 1, last - 1),
        )


def _containers(tokens: list[Token], kind: str) -> Iterable[list[str]]:
    for token in tokens:
        if token.type == f"container_{kind}_open":
            yield token.info.split()[1:]


def _links(tokens: list[Token]) -> Iterable[str]:
    for token in tokens:
        for child in token.children or []:
            if child.type == "link_open":
                yield str(child.attrs["href"])


def load_measured(root: Path = ROOT) -> Measured:
    """All numbers that a page may name: measured.json, and how the orders of the loop ended under `orders`."""
    measured = json.loads((root / "measured.json").read_text(encoding="utf-8"))
    orders = json.loads((root / "orders.json").read_text(encoding="utf-8"))
    return {**measured, "orders": orders["summary"]}


def fill(text: str, measured: Measured) -> str:
    """Puts measured numbers in the place of `{{measured.failure.field}}`; pictures stay for whoever renders them."""

    def number(match: re.Match[str]) -> str:
        kind, failure, field, spec = match.groups()
        if failure not in measured:
            raise ChapterError(f"nothing is measured under {failure!r}")
        if kind == "picture":
            return match.group(0)
        if field not in measured[failure]:
            raise ChapterError(f"{failure!r} has no measured {field!r}")
        return format(measured[failure][field], spec or "")

    return PLACEHOLDER.sub(number, text)
