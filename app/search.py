"""Finds words in the chapter and in the statements of the exercises.

Every word asked for must stand in a part (a heading and what is under it), whatever its case and accents. A word is
found inside longer ones too, so that Chinese needs no division into words, and a Korean noun is found with whatever
particle hangs on it. Koreans also divide compounds as they like: there a space in the text is passed over. If nothing
has the words as they were asked for, they are looked for without their own particles.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from dataclasses import dataclass

from markdown_it.token import Token
from markupsafe import Markup, escape

from app.section import address, files
from chapter.read import PLACEHOLDER, ROOT, fill, load_measured, parser
from judge.exercise import Shelf

MAX_QUERY_CHARACTERS = 100
MAX_WORDS = 8
MAX_FOUND = 20
AROUND_CHARACTERS = 60
# What hangs on Korean nouns, also on names of code; two characters of a noun at least stand before it.
PARTICLE = re.compile(r"(?<=\w\w)(?:은|는|이|가|을|를|의|에|에서|에는|와|과|도|만|로|으로|부터|까지|마다|이란|란)$")
BETWEEN_SYLLABLES = re.compile("(?<=[가-힣])(?=[가-힣])")
IN_TITLE = 10  # a word in a heading counts as so many in the text


@dataclass(frozen=True)
class Part:
    """What one result leads to."""

    href: str
    title: str
    within: str  # the section's title; empty for an exercise
    text: str


@dataclass(frozen=True)
class Found:
    part: Part
    excerpt: Markup


def folded(text: str) -> tuple[str, list[int]]:
    """The text without case and accents, and for each of its characters the place in `text` it came from."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for piece in _plain_character(character):
            characters.append(piece)
            places.append(place)
    return "".join(characters), places


@functools.lru_cache(maxsize=8192)  # a text has few different ones, and is folded for every excerpt
def _plain_character(character: str) -> str:
    plain = "".join(piece for piece in unicodedata.normalize("NFKD", character) if not unicodedata.combining(piece))
    return unicodedata.normalize("NFC", plain.casefold())  # a Korean syllable is one character again


def wanted(query: str) -> list[str]:
    words = folded(unicodedata.normalize("NFC", query[:MAX_QUERY_CHARACTERS]))[0].split()
    return list(dict.fromkeys(words))[:MAX_WORDS]


def search(query: str, lang: str, shelf: Shelf) -> list[Found]:
    """The parts that hold all words, the best first."""
    words = wanted(query)
    if not words:
        return []
    parts = [*chapter_parts(lang), *exercise_parts(lang, shelf)]
    return _holding(words, parts) or _holding([PARTICLE.sub("", word) for word in words], parts)


def _holding(words: list[str], parts: list[Part]) -> list[Found]:
    patterns = [_pattern(word) for word in words]
    scored: list[tuple[int, Part]] = []
    for part in parts:
        title, text = _folded(part.title), _folded(part.text)
        if all(pattern.search(title) or pattern.search(text) for pattern in patterns):
            counts = [IN_TITLE * len(one.findall(title)) + len(one.findall(text)) for one in patterns]
            scored.append((sum(counts), part))
    scored.sort(key=lambda pair: -pair[0])
    return [Found(part, excerpt(part.text, words)) for _, part in scored[:MAX_FOUND]]


@functools.lru_cache(maxsize=256)
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(" ?".join(map(re.escape, BETWEEN_SYLLABLES.split(word))))


@functools.lru_cache(maxsize=2048)
def _folded(text: str) -> str:
    return folded(text)[0]


def excerpt(text: str, words: list[str]) -> Markup:
    """The text around the first place of a word, with all words marked."""
    flat, places = folded(text)
    patterns = [_pattern(word) for word in words]
    first = min((found.start() for pattern in patterns if (found := pattern.search(flat))), default=0)
    low = max(first - AROUND_CHARACTERS, 0)
    high = min(first + 2 * AROUND_CHARACTERS, len(flat))
    # Whole words at both ends, where there are spaces.
    if low and (space := flat.find(" ", low, first)) >= 0:
        low = space + 1
    if high < len(flat) and (space := flat.rfind(" ", first + AROUND_CHARACTERS, high)) >= 0:
        high = space
    html = Markup("… ") if low else Markup()
    at = low
    while at < high:
        here = next((found for pattern in patterns if (found := pattern.match(flat, at))), None)
        end = min(here.end(), high) if here else at + 1
        source = text[places[at] : places[end] if end < len(flat) else len(text)]
        html += Markup("<mark>{}</mark>").format(source) if here else escape(source)
        at = end
    return html + (Markup(" …") if high < len(flat) else Markup())


@functools.cache
def chapter_parts(lang: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    for slug, name in files().items():
        source = fill((ROOT / lang / name).read_text(encoding="utf-8"), load_measured())
        section = ""
        for level, anchor, title, text in _under_headings(parser().parse(source)):
            section = title if level == 1 else section
            parts.append(Part(address(lang, slug, anchor), title, "" if level == 1 else section, text))
    return tuple(parts)


def _under_headings(tokens: list[Token]) -> list[tuple[int, str, str, str]]:
    """(level, anchor, title, text) of each heading."""
    found: list[tuple[int, str, str, list[str]]] = []
    for before, token in itertools.pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open":
            found.append((int(before.tag[1:]), str(before.attrs.get("id", "")), _plain(token), []))
        elif token.type == "inline":
            found[-1][3].append(_plain(token))
        elif token.type == "fence":
            found[-1][3].append(token.content)
    return [(level, anchor, title, " ".join(" ".join(texts).split())) for level, anchor, title, texts in found]


def _plain(token: Token) -> str:
    pieces = ["\n" if child.type == "softbreak" else child.content for child in token.children or []]
    return PLACEHOLDER.sub("", "".join(pieces))


def exercise_parts(lang: str, shelf: Shelf) -> list[Part]:
    return [
        Part(f"/{lang}/exercises/{exercise.id}", exercise.title(lang), "", _statement_text(exercise.statement(lang)))
        for exercise in shelf.exercises.values()
    ]


@functools.lru_cache(maxsize=256)
def _statement_text(statement: str) -> str:
    (_, _, _, lead), *parts = _under_headings(parser().parse(statement))
    return " ".join((lead, *(f"{title} {text}" for _, _, title, text in parts)))
