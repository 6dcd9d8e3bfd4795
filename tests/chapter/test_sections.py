"""The chapter as a reader gets it: what a block prints, where links lead, and that the languages are one chapter."""

import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from chapter.read import LANGUAGES, ROOT, Section, fill, load_measured, parser, read, section_names
from judge.exercise import load_exercises

EXERCISES = load_exercises().exercises
FIGURES = {"orders", "spiral"}
QUESTIONS_AT_LEAST = 8  # of the self-test
ROWS_AT_LEAST = 12  # of the crib sheet
LINES_AT_MOST = 28  # without the empty ones
WIDTH_AT_MOST = 100  # what an ordinary screen shows without scrolling; a Chinese character is two wide

NAMES = section_names("en")
PAGES = [(lang, name) for lang in LANGUAGES for name in NAMES]


@pytest.fixture(scope="module")
def printed() -> dict[str, list[str]]:
    """What every block prints, all run by one warm process that is not this one: a test may have used threads here."""
    done = subprocess.run(
        [sys.executable, "-m", "chapter.run", "--json"],
        cwd=ROOT.parent,
        env={**os.environ, "PYTHONWARNINGS": "default"},
        capture_output=True,
        check=True,
        timeout=240,
    )
    outputs: dict[str, list[str]] = json.loads(done.stdout)
    return outputs


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_every_block_prints_what_stands_under_it(printed: dict[str, list[str]], lang: str, name: str) -> None:
    section = read(lang, name)
    assert printed[f"{lang}/{name}"] == [block.output for block in section.blocks]
    assert not any("Traceback" in block.output for block in section.blocks)


def shape(section: Section) -> tuple[object, ...]:
    """What must be the same in every language."""
    return (
        [(heading.level, heading.anchor) for heading in section.headings],
        [(block.continues, block.workers) for block in section.blocks],
        section.practices,
        section.figures,
        sorted(section.links),
        sorted(section.placeholders),
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_all_sections(lang: str) -> None:
    assert section_names(lang) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_languages_are_one_chapter(name: str) -> None:
    shapes = [shape(read(lang, name)) for lang in LANGUAGES]
    assert all(other == shapes[0] for other in shapes)


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_headings_are_in_order_and_carry_anchors(lang: str, name: str) -> None:
    first, *rest = read(lang, name).headings
    assert first.level == 1
    for before, heading in zip([first, *rest], rest, strict=False):
        assert 2 <= heading.level <= before.level + 1, heading
        assert heading.anchor, heading
    anchors = [heading.anchor for heading in rest]
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_links_cards_and_figures_lead_somewhere(lang: str, name: str) -> None:
    section = read(lang, name)
    for link in section.links:
        page, _, anchor = link.partition("#")
        assert page in NAMES, link
        assert not anchor or anchor in {heading.anchor for heading in read(lang, page).headings}, link
    assert {exercise for card in section.practices for exercise in card} <= set(EXERCISES)
    assert set(section.figures) <= FIGURES


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_placeholders_resolve_and_nothing_is_left_of_the_markup(lang: str, name: str) -> None:
    text = fill((ROOT / lang / name).read_text(encoding="utf-8"), load_measured())
    assert "{{measured" not in text
    tokens = parser().parse(text)
    words = [child.content for token in tokens for child in token.children or [] if child.type == "text"]
    for word in words:
        assert not re.search(r"\*|:::|\{#|\}\}(?!\s)|`", re.sub(r"\{\{picture\.\w+\}\}", "", word)), word


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_blocks_are_short(lang: str, name: str) -> None:
    for block in read(lang, name).blocks:
        assert len(list(filter(None, block.code.splitlines()))) <= LINES_AT_MOST, block.line
        assert max(map(width, (block.code + block.output).splitlines())) <= WIDTH_AT_MOST, block.line


def test_every_exercise_has_a_card() -> None:
    cards = {exercise for name in NAMES for card in read("en", name).practices for exercise in card}
    assert cards == set(EXERCISES)


def test_every_measured_failure_is_on_the_crib_sheet() -> None:
    placeholders = " ".join(read("en", "11-crib-sheet.md").placeholders)
    missing = {failure for failure in load_measured() if f".{failure}." not in placeholders} - {"orders"}
    assert missing <= {"pinning_without_workers"}  # that one is run on the page itself


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_self_test_has_its_answers_folded_away(lang: str) -> None:
    text = (ROOT / lang / "01-before-you-start.md").read_text(encoding="utf-8")
    _, _, test = text.partition("{#self-test}")
    found = re.findall(r"^(\*\*\d+\.|:::details)", test, re.MULTILINE)
    count = test.count(":::details")
    assert found == [line for number in range(1, count + 1) for line in (f"**{number}.", ":::details")]
    assert count >= QUESTIONS_AT_LEAST


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_row_of_the_crib_sheet_is_measured(lang: str) -> None:
    text = (ROOT / lang / "11-crib-sheet.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in re.findall(r"(?<=\n)\| .+ \|(?=\n)(?!\n\|--)", text)]
    assert len(rows) >= ROWS_AT_LEAST
    for row in rows:
        assert len(row) == 4, row  # the line, the wrong place, what then happens, what was measured
        assert "{{measured." in row[3], row


# What is widely said, and where a block of the page shows what happens in this torch.
COMMON_WISDOM = {
    "half": ("11-crib-sheet.md", "model.half()"),
    "zero-after-backward": ("03-loop.md", "zero_grad()"),
    "numpy-workers": ("02-data.md", "np.random"),
    "pinning": ("11-crib-sheet.md", "pin_memory"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("anchor", COMMON_WISDOM)
def test_wrong_common_wisdom_is_shown_by_running_it(lang: str, anchor: str) -> None:
    assert anchor in {heading.anchor for heading in read(lang, "11-crib-sheet.md").headings}
    page, line = COMMON_WISDOM[anchor]
    assert any(line in block.code for block in read(lang, page).blocks)
    assert page == "11-crib-sheet.md" or any(link.startswith(page) for link in read(lang, "11-crib-sheet.md").links)


def test_the_commands_of_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for module in re.findall(r"python -m chapter\.(\w+)", readme):
        assert Path(ROOT / f"{module}.py").exists()
