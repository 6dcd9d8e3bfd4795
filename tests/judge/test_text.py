from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.text import filled, shortened, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("中文 und Größe 🙂", "中文 und Größe 🙂"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("nul\x00, bell\x07, back\x08, return\r", "nul\\x00, bell\\x07, back\\x08, return\\x0d"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202eturned", "\\u202eturned"),
        ("\u2066isolated\u2069", "\\u2066isolated\\u2069"),
        ("\ud800", "\\ud800"),
        ("\ue000\U000f0000", "\\ue000\\U000f0000"),
        ("\uffff", "\\uffff"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters()))
def test_what_is_visible_can_be_stored_and_moves_no_cursor(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert all(character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs") for character in shown)
    assert visible(shown) == shown


def test_shortened_keeps_head_and_tail() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("a" * 50 + "b" * 50 + "c" * 50, 20) == "a" * 10 + "\n[... 130 characters ...]\n" + "c" * 10


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("{loss:.3f}", {"loss": 1.23456}, "1.235"),
        ("{loss:.3f}", {"loss": "nan"}, "nan"),
        ("{loss:.3f}", {"loss": None}, "None"),
        ("{count:d} {flag}", {"count": 1.5, "flag": True}, "1.5 True"),
        ("{name!r} {{}}", {"name": "a"}, "'a' {}"),
        ("{missing}", {}, "{missing}"),
        ("{got}", {"got": "{got} {other} {0.__class__}"}, "{got} {other} {0.__class__}"),
    ],
)
def test_filled(template: str, values: dict[str, object], text: str) -> None:
    assert filled(template, values) == text
