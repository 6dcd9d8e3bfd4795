"""Every sentence of the site exists in every language, and the catalogues hold nothing else."""

from __future__ import annotations

import string
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir

from app.words import LANGUAGES, best_language, catalogue, script_strings, script_words, words
from judge import store

ROOT = Path(__file__).resolve().parent.parent.parent
OTHERS = [lang for lang in LANGUAGES if lang != "en"]


def strings(folder: str, method: str, pattern: str) -> set[str]:
    found = extract_from_dir(
        ROOT / folder,
        method_map=[(pattern, method)],
        options_map={pattern: {"silent": "false"}},
        keywords={"_": None, "N_": None},
    )
    return {str(msgid) for _, _, msgid, _, _ in found}


def refusals() -> set[str]:
    """The store's own sentences, which the site translates."""
    return {kind().message.template for kind in store.Refused.__subclasses__()}


def site_strings() -> set[str]:
    return (
        strings("templates", "jinja2", "**.html")
        | strings("app", "python", "*.py")
        | set(script_strings())
        | refusals()
    )


def fields(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("lang", OTHERS)
def test_every_string_is_translated_and_none_is_left_over(lang: str) -> None:
    assert set(catalogue(lang)) == site_strings()


@pytest.mark.parametrize("lang", OTHERS)
def test_a_catalogue_says_each_string_once(lang: str) -> None:
    lines = (ROOT / "app" / "locale" / f"{lang}.po").read_text(encoding="utf-8").splitlines()
    said = Counter(line for line in lines if line.startswith("msgid "))
    assert [line for line, times in said.items() if times > 1] == []


@pytest.mark.parametrize("lang", OTHERS)
def test_translations_use_the_same_values(lang: str) -> None:
    for msgid, sentence in catalogue(lang).items():
        assert fields(msgid) == fields(sentence), msgid


def test_strings_are_found_in_templates_code_and_scripts() -> None:
    assert "My submissions" in strings("templates", "jinja2", "**.html")
    assert "Not right yet" in strings("app", "python", "*.py")
    assert "As text" in script_strings()
    assert script_words("zh")["As text"] != "As text"
    assert script_words("en") == {}


@pytest.mark.parametrize(
    ("accept", "remembered", "lang"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", None, "zh"),
        ("en-GB,zh;q=0.5", None, "en"),
        ("de, zh;q=0.3", None, "zh"),
        ("zh;q=0, de", None, "en"),
        ("zh", "en", "en"),
        ("zh", "klingon", "zh"),
        ("", None, "en"),
        (";;q=,,zh;q=nonsense", None, "en"),
        ("ko-KR,ko;q=0.9,en-US;q=0.8", None, "ko"),
        ("de, zh;q=0.3, ko;q=0.4", None, "ko"),
        ("en", "ko", "ko"),
    ],
)
def test_the_front_page_chooses_the_best_language(accept: str, remembered: str | None, lang: str) -> None:
    assert best_language(accept, remembered) == lang


def test_values_are_put_into_sentences() -> None:
    assert words("en")("Hint {n} of {count}", n=2, count=4) == "Hint 2 of 4"
    assert words("zh")("Hint {n} of {count}", n=2, count=4) == "提示 2 / 4"
    assert words("ko")("Hint {n} of {count}", n=2, count=4) == "힌트 2 / 4"
