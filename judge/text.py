"""Text that came out of a box, made fit to be stored and shown."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Mapping, Sequence

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """Control, bidirectional and private characters as escapes: no terminal acts on them, no page is reordered."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _harmless(character) else _escaped(character) for character in text)


def on_one_line(text: str) -> str:
    """As `visible`, for a log or a list whose lines somebody trusts."""
    return visible(text).replace("\n", "\\n")


def shortened(text: str, limit: int) -> str:
    """Head and tail of a text that is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters ...]\n{text[-half:]}"


def excerpt(text: str, limit: int) -> str:
    """Head and tail of a text, made visible: what is made visible becomes longer."""
    return shortened(visible(shortened(text, limit)), limit)


def _harmless(character: str) -> bool:
    if character in "\n\t":
        return True
    return unicodedata.category(character) not in ("Cc", "Cs", "Co", "Cn") and character not in _BIDI


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class _Lenient(string.Formatter):
    def get_value(self, key: int | str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: object, format_spec: str) -> str:
        try:
            return str(super().format_field(value, format_spec))
        except (TypeError, ValueError):
            return str(value)


_LENIENT = _Lenient()


def filled(template: str, values: Mapping[str, object]) -> str:
    """`template.format(**values)`, except that a value which its format does not fit is shown as it is, and a
    value that is missing as its name: an authored "{loss:.3f}" may meet a learner's "none".
    """
    return _LENIENT.vformat(template, (), values)
