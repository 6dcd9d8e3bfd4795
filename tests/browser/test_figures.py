"""Each kind of figure: drawn with a name and a text that says the same; marks that do not need colour."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect
from pydantic import JsonValue

EVENTS: JsonValue = {
    "learner": [["forward", "backward", "step", "clip"], []],
    "expected": [["zero", "forward", "backward", "clip", "step"], ["zero"]],
}
GRID: JsonValue = {"before": [[[1, 0, 0, 0], [1, 1, 1, 1]]], "after": [[[1]], [[1, 1, 1, 1]]]}
LINES: JsonValue = {
    "series": [{"label": "yours", "values": [3, None, 2, 1]}, {"label": "<b>", "values": [1, 1], "dashed": True}],
    "x_label": "step",
    "y_label": "norm",
    "marks": [{"x": 2, "label": "spike"}],
    "threshold": 1.5,
}
HISTOGRAM: JsonValue = {"values": [1, 2, 2, 3, 8], "x_label": "norm", "threshold": 4}

DRAW = """async ([kind, data, status]) => {
    const check = document.createElement("div");
    check.className = `check--${status}`;
    check.innerHTML = '<figure class="figure"><pre>the data</pre></figure>';
    const figure = check.firstChild;
    figure.dataset.kind = kind;
    figure.dataset.figure = data;
    document.getElementById("results").replaceChildren(check);
    const source = document.querySelector('script[src$="/exercise.js"]').src;
    const { drawFigures } = await import(source.replace("exercise.js", "figures.js"));
    drawFigures(document.getElementById("results"));
}"""


def draw(page: Page, kind: str, data: JsonValue, status: str = "failed") -> None:
    page.goto("/en/exercises/loop")
    page.evaluate(DRAW, [kind, json.dumps(data), status])


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("events", EVENTS, "Step 2. Yours: nothing. Right order: zero."),
        ("grid", GRID, "Before: 37.5 % padding"),
        ("lines", LINES, "yours: from 3 to 1, lowest 1, highest 3"),
        ("histogram", HISTOGRAM, "Threshold: 4"),
    ],
)
def test_a_figure_has_a_name_a_description_and_a_text(page: Page, kind: str, data: JsonValue, said: str) -> None:
    draw(page, kind, data)
    pictures = page.locator("#results svg[role=img]")
    assert pictures.count() > 0
    for picture in pictures.all():
        for named in (picture.get_attribute("aria-labelledby") or "").split():
            assert page.locator(f"#{named}").text_content()
    if kind == "histogram":
        expect(page.locator("#results svg")).to_contain_text(said)
    else:
        page.locator("#results summary").click()
        expect(page.locator("#results details ul")).to_contain_text(said)
    assert page.locator("#results svg b").count() == 0


def test_differences_of_events_are_marked_by_sign_and_word(page: Page) -> None:
    draw(page, "events", EVENTS)
    first = page.locator("#results svg").first
    expect(first.locator(".chip--missing")).to_have_text(["missing", "missing"])
    expect(first.locator(".chip--extra")).to_have_text(["+ step"])


def test_where_the_check_passed_no_difference_is_marked(page: Page) -> None:
    draw(page, "events", EVENTS, "passed")
    expect(page.locator("#results .chip")).to_have_count(10)
    expect(page.locator("#results .chip--extra, #results .chip--missing")).to_have_count(0)


@pytest.mark.parametrize("kind", ["unheard-of", "constructor"])
def test_an_unknown_kind_stays_its_data(page: Page, kind: str) -> None:
    draw(page, kind, [1])
    expect(page.locator("#results pre")).to_have_text("the data")
