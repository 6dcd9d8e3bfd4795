"""Sentences in the reader's language. English is the key and the fallback; `.po` catalogues hold the rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, JsonValue

from judge.text import filled
from judge.verdict import Message

LANGUAGES = ("en", "zh")
Translate = Callable[[str], str]

_OWN_LOCALE = Path(__file__).parent / "locale"


def catalogue(folder: Path, language: str) -> dict[str, str]:
    """The translated messages of `folder/LANGUAGE.po`; empty for English. Raises ValueError if it cannot be read."""
    path = folder / f"{language}.po"
    if language == "en" or not path.exists():
        return {}
    return dict(_read(path, path.stat().st_mtime_ns))


def translator(language: str, *folders: Path) -> Translate:
    """Looks sentences up in the judge's own catalogue, then in those of `folders`."""
    messages: dict[str, str] = {}
    for folder in (_OWN_LOCALE, *folders):
        messages |= catalogue(folder, language)
    return lambda text: messages.get(text, text)


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


def localized(event: BaseModel, translate: Translate) -> dict[str, JsonValue]:
    """An event or a verdict as JSON in which every title, message and sentence is final text."""
    shown = _localized(event.model_dump(mode="json"), translate)
    assert isinstance(shown, dict)
    return shown


def _localized(data: JsonValue, translate: Translate) -> JsonValue:
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
    for key in ("figure", "figures"):  # drawn, not read
        if key in data:
            shown[key] = data[key]
    if "message" in data:
        shown["message"] = _sentence(data["message"], translate)
    return shown


def _sentence(message: JsonValue, translate: Translate) -> str:
    if message is None:
        return ""
    parsed = Message.model_validate(message)
    return filled(translate(parsed.template), parsed.values)
