"""Search: every word, whatever its case and accents; Chinese without spaces; what is found is shown as text."""

from __future__ import annotations

import re
import unicodedata

import pytest

from app.search import MAX_FOUND, MAX_WORDS, excerpt, folded, search, wanted
from judge.exercise import DEFAULT_ROOT, load_exercises

SHELF = load_exercises([DEFAULT_ROOT])


def hrefs(query: str, lang: str = "en") -> list[str]:
    return [found.part.href for found in search(query, lang, SHELF)]


def test_case_and_accents_do_not_matter() -> None:
    assert folded("Ünïcode ß")[0] == "unicode ss"
    assert hrefs("ZERO_GRAD") == hrefs("zéro_grad") != []


def test_every_word_must_be_there() -> None:
    assert "/en/chapter/optimizer#mixed-precision" in hrefs("scaler clip")
    assert hrefs("scaler xyzzy") == []


def test_a_word_in_a_heading_comes_first() -> None:
    assert hrefs("where zero_grad may stand")[0] == "/en/chapter/loop#zero-grad"
    assert hrefs("self-test")[0] == "/en/chapter/before-you-start#self-test"


def test_exercises_are_found_too() -> None:
    title = SHELF.exercises["collate"].title("en")
    assert hrefs(title)[0] == "/en/exercises/collate"


def test_chinese_is_found_inside_a_sentence() -> None:
    assert "/zh/chapter/loop#zero-grad" in hrefs("反向之间", "zh")
    assert all(href.startswith("/zh/") for href in hrefs("裁剪", "zh"))


@pytest.mark.parametrize("query", ["클리핑", "클리핑까지", "기울기마다 클리핑으로", "max_norm까지"])
def test_korean_is_found_whatever_particle_hangs_on_it(query: str) -> None:
    assert "/ko/chapter/optimizer#clipping" in hrefs(query, "ko")


def test_korean_compounds_are_found_written_apart_and_together() -> None:
    assert "/ko/chapter/loop" in {href.partition("#")[0] for href in hrefs("학습루프", "ko")}
    assert excerpt("이 학습 루프는", ["학습루프"]) == "이 <mark>학습 루프</mark>는"


def test_a_korean_syllable_is_found_whole() -> None:
    assert folded("학습")[0] == "학습"
    assert wanted(unicodedata.normalize("NFD", "학습")) == ["학습"]  # as some keyboards and file names write it
    assert excerpt("학습", ["하"]) == "학습"


def test_for_a_korean_reader_exercises_are_found_in_english() -> None:
    assert hrefs(SHELF.exercises["collate"].title("en"), "ko")[0] == "/ko/exercises/collate"


def test_what_is_printed_and_measured_is_found() -> None:
    assert "/en/chapter/loop#zero-grad" in hrefs("0.83 0.04")


@pytest.mark.parametrize("query", ["", "   ", "\x00", "a" * 10_000, "({[*", "<script>"])
def test_any_query_has_an_answer(query: str) -> None:
    assert len(hrefs(query)) <= MAX_FOUND


def test_a_query_is_bounded() -> None:
    assert len(wanted(" ".join(map(str, range(1000))))) == MAX_WORDS


def test_the_excerpt_marks_the_words_and_escapes_the_rest() -> None:
    shown = excerpt("x < y and Çlip & clip", ["clip"])
    assert shown == "x &lt; y and <mark>Çlip</mark> &amp; <mark>clip</mark>"
    long = excerpt("far " * 100 + "clip " + "away " * 100, ["clip"])
    assert re.fullmatch(r"… (far )+<mark>clip</mark>( away)+ …", long)
