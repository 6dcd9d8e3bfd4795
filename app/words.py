"""The site's own sentences in the languages it speaks.

English is the key; `locale/LANG.po` holds the rest and is read as it is, without a compiled copy. Strings that a script
shows are marked with `_()` in `static/*.js` too and travel to the page as data (`script_words`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from babel import negotiate_locale
from babel.messages.extract import extract_from_file

from judge import language as judge_language

HERE = Path(__file__).resolve().parent
LANGUAGES = {"en": "English", "zh": "中文", "ko": "한국어"}
HTML_LANGUAGES = {"en": "en", "zh": "zh-Hans", "ko": "ko"}

Say = Callable[..., str]


def N_(msgid: str) -> str:  # noqa: N802 - gettext's name for a marked string that is translated later
    return msgid


def catalogue(lang: str) -> dict[str, str]:
    return judge_language.catalogue(HERE / "locale", lang)


@functools.cache
def words(lang: str) -> Say:
    """`_` for a language: `_("{n} of {count}", n=2, count=4)`."""
    translations = catalogue(lang)

    def say(msgid: str, **values: object) -> str:
        sentence = translations.get(msgid, msgid)
        return sentence.format(**values) if values else sentence

    return say


@functools.cache
def script_words(lang: str) -> dict[str, str]:
    """The translations of every string in the site's scripts."""
    translations = catalogue(lang)
    return {msgid: translations[msgid] for msgid in script_strings() if msgid in translations}


@functools.cache
def script_strings() -> frozenset[str]:
    files = [path for path in (HERE / "static").glob("*.js") if not path.name.endswith(".bundle.js")]
    found = (extract_from_file("javascript", path, keywords={"_": None}) for path in files)
    return frozenset(str(msgid) for messages in found for _, msgid, _, _ in messages)


def best_language(accept_language: str, remembered: str | None = None) -> str:
    """The remembered language, else the best of an Accept-Language header, else English."""
    if remembered in LANGUAGES:
        return remembered
    wanted: list[tuple[float, str]] = []
    for part in accept_language[:1000].split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            wanted.append((float(quality or 1), name.strip()))
        except ValueError:
            continue
    wanted.sort(key=lambda pair: -pair[0])
    names = [name.partition("-")[0].lower() for weight, name in wanted if weight > 0]
    return negotiate_locale(names, list(LANGUAGES)) or "en"
