"""A section as HTML: where things stand, where links lead, and that what it says is text."""

from __future__ import annotations

import pytest

from app.section import Cards, Drawn, contents, files, reading_of, renderer, section, slug_of
from chapter.read import LANGUAGES, load_measured
from judge.exercise import DEFAULT_ROOT, load_exercises

EXERCISES = load_exercises([DEFAULT_ROOT]).exercises


def html(source: str, lang: str = "en") -> str:
    markdown = renderer()
    tokens = markdown.parse(source)
    return str(markdown.renderer.render(tokens, markdown.options, {"lang": lang, "measured": load_measured()}))


def test_addresses_do_not_number_the_sections() -> None:
    assert slug_of("03-loop.md") == "loop"
    assert slug_of("11-crib-sheet.md") == "crib-sheet"
    assert list(files())[:3] == ["before-you-start", "data", "loop"]


def test_a_block_stands_above_what_it_printed() -> None:
    shown = html("```python\nprint('<b>')\n```\n\n```output\n<b>\n```\n")
    assert '<div class="block">' in shown
    assert '<span class="nb">print</span>' in shown
    assert "<b>" not in shown
    assert shown.index("It prints") < shown.index('output" tabindex="0">&lt;b&gt;\n</pre>\n</div>')


def test_what_a_section_says_is_text() -> None:
    shown = html("## <i>a</i> {#a}\n\n<script>x</script> [b](javascript:x)\n\n:::details <u>\n<s>\n:::\n")
    for tag in ("<script", "<i>", "<u>", "<s>", 'href="javascript'):
        assert tag not in shown
    assert "&lt;u&gt;</summary>" in shown


def test_links_to_files_become_links_to_pages() -> None:
    assert 'href="/zh/chapter/loop#five-lines"' in html("[x](03-loop.md#five-lines)", "zh")
    assert 'href="/en/chapter/loop"' in html("[x](03-loop.md)")
    assert 'href="#here"' in html("[x](#here)")


def test_a_heading_with_an_anchor_leads_to_itself() -> None:
    assert html("## `a` b {#ab}") == '<h2 id="ab"><a class="anchor" href="#ab"><code>a</code> b</a></h2>\n'
    assert html("# a") == "<h1>a</h1>\n"


def test_a_picture_says_what_it_shows() -> None:
    shown = html("a < {{picture.no_zero_grad}} b")
    assert shown.startswith('<p>a &lt; <svg class="measured"')
    assert 'aria-label="right: from 0.963 to 0.0364; with the mistake: from 0.967 to 0.826"' in shown
    assert "有错的程序" in html("{{picture.no_zero_grad}}", "zh")


def test_cells_of_a_wide_table_know_their_column() -> None:
    wide = html("|a|`b`|c|d|\n|-|-|-|-|\n|1|2|3|4|\n|5|6|7|8|\n")
    assert wide.count('data-column="b"') == 2
    assert 'role="table"' in wide
    assert "role=" not in html("|a|b|\n|-|-|\n|1|2|\n")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_lost_between_the_pieces(lang: str) -> None:
    for page in contents(lang):
        text = "".join(piece for piece in page.pieces if isinstance(piece, str))
        assert "{{" not in text
        assert ":::" not in text
        assert "style=" not in text
        for heading in page.parts:
            assert f'id="{heading.anchor}"' in text
    loop = section(lang, "loop")
    assert loop.figures == ["orders", "spiral"]
    assert [piece for piece in loop.pieces if isinstance(piece, Cards)] == [Cards(("loop",)), Cards(("loop", "clip"))]
    assert all("120" in piece.words for piece in loop.pieces if isinstance(piece, Drawn) and piece.name == "orders")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_section_that_treats_exercises_ends_with_them(lang: str) -> None:
    for page in contents(lang):
        if page.cards_under:
            assert isinstance(page.pieces[-1], Cards), page.slug


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", EXERCISES)
def test_every_exercise_is_treated_somewhere(name: str, lang: str) -> None:
    found = reading_of(EXERCISES[name], lang)
    assert found is not None
    path, _, anchor = found[0].partition("#")
    assert anchor in section(lang, path.rpartition("/")[2]).anchors


def test_an_exercise_leads_to_the_part_with_its_card() -> None:
    assert reading_of(EXERCISES["collate"], "en") == ("/en/chapter/data#collate", "The data")
    assert reading_of(EXERCISES["loop"], "en") == ("/en/chapter/loop#five-lines", "The loop")
