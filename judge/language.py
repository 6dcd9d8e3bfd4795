"""Sentences in the reader's language. English is the key and the fallback; `.po` catalogues hold the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, JsonValue

from judge.text import filled
from judge.verdict import Message

LANGUAGES = ("en", "zh", "ko")  # what the judge itself speaks
EXERCISE_LANGUAGES = ("en", "zh")  # what exercises are written in; for every other reader they are in English
Translate = Callable[[str], str]

# What in a figure's data is read; the rest is drawn.
WORDS_OF_FIGURES = ("label", "x_label", "y_label")

_OWN_LOCALE = Path(__file__).parent / "locale"


def catalogue(folder: Path, language: str) -> dict[str, str]:
    """The translated messages of `folder/LANGUAGE.po`; empty for English. Raises ValueError if it cannot be read."""
    path = folder / f"{language}.po"
    if language == "en" or not path.exists():
        return {}
    return dict(_read(path, path.stat().st_mtime_ns))


def exercise_language(reader: str) -> str:
    """The language in which a reader of the language `reader` gets what an exercise says."""
    return reader if reader in EXERCISE_LANGUAGES else "en"


@dataclass(frozen=True)
class Translator:
    """Says English sentences in a language; one that is not translated stays English."""

    language: str
    messages: Mapping[str, str]

    def __call__(self, text: str) -> str:
        return self.messages.get(text, text)

    def language_of(self, text: str) -> str:
        """The language it says the sentence in."""
        return self.language if text in self.messages else "en"


def translator(language: str, *folders: Path) -> Translator:
    """Looks sentences up in the judge's own catalogue, then in those of `folders`."""
    messages: dict[str, str] = {}
    for folder in (_OWN_LOCALE, *folders):
        messages |= catalogue(folder, language)
    return Translator(language, messages)


@lru_cache(maxsize=256)
def _read(path: Path, modified_ns: int) -> tuple[tuple[str, str], ...]:
    from babel.messages.pofile import PoFileError, read_po  # only when another language is asked for

    try:
        with path.open("rb") as file:
            messages = read_po(file, abort_invalid=True)
    except (PoFileError, LookupError) as error:  # the latter for an unknown charset
        raise ValueError(f"{path.name}: {error}") from error
    return tuple(
        (message.id, message.string)
        for message in messages
        if isinstance(message.id, str) and isinstance(message.string, str) and message.id and message.string
    )


def localized(event: BaseModel, translate: Translator) -> dict[str, JsonValue]:
    """An event or a verdict as JSON in which every title, message, sentence and word of a figure is final text.

    Titles and sentences are the exercise's; a message may be the judge's own, so `message_language` says what it is in.
    """
    shown = _localized(event.model_dump(mode="json"), translate)
    assert isinstance(shown, dict)
    return shown


def figure_in(data: JsonValue, translate: Translate) -> JsonValue:
    """A figure, or several, with the words translated."""
    if isinstance(data, list):
        return [figure_in(item, translate) for item in data]
    if not isinstance(data, dict):
        return data
    return {
        key: translate(item) if key in WORDS_OF_FIGURES and isinstance(item, str) else figure_in(item, translate)
        for key, item in data.items()
    }


def _localized(data: JsonValue, translate: Translator) -> JsonValue:
    if isinstance(data, list):
        return [_localized(item, translate) for item in data]
    if not isinstance(data, dict):
        return data
    shown = {
        key: translate(value)
        if key in ("title", "sentence") and isinstance(value, str)
        else _localized(value, translate)
        for key, value in data.items()
        if key not in ("message", "figure", "figures")
    }
    for key in ("figure", "figures"):
        if key in data:
            shown[key] = figure_in(data[key], translate)
    if data.get("message") is not None:
        message = Message.model_validate(data["message"])
        shown["message"] = filled(translate(message.template), message.values)
        shown["message_language"] = translate.language_of(message.template)
    elif "message" in data:
        shown["message"] = ""
    return shown
