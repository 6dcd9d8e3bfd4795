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
NORMS: JsonValue = {"norms": [8, 2, None, 1, 30, 3], "threshold": 4.5, "spikes": [2, 4]}
REGIONS: JsonValue = {
    "cells": 2,
    "extent": 1,
    "letters": "abcdefghijkl",
    "levels": 4,
    "points": [[0.5, 0.5, 0], [-0.5, 0.5, 1], [0, -0.5, 2]],
    "epochs": [0, 3, 9],
    "frames": [["a2", "a2"], ["ae", "bf"], ["dh", "l2"]],
    "accuracy": [0.333, 0.5, 1],
    "val_loss": [1.2, None, 0.25],
    "best_epoch": 9,
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
        ("norms", NORMS, "6 steps, norms from 1 to 30; the median of the second half is 3"),
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


@pytest.mark.parametrize(
    "values", [[2.3025850929940455, 2.302585092994046], [1e16, 1e16 + 2], [-1e-300, 1e-300], [0, 0]]
)
def test_numbers_that_hardly_differ_are_drawn(page: Page, values: list[float]) -> None:
    draw(page, "lines", {"series": [{"label": "loss", "values": values}], "x_label": "epoch", "y_label": "loss"})
    expect(page.locator("#results svg path.axis")).to_have_count(1)
    assert 4 <= page.locator("#results svg text").count() < 30


def test_norms_are_marked_by_shape_and_beside_them_stand_bars(page: Page) -> None:
    draw(page, "norms", NORMS)
    expect(page.locator("#results .spike")).to_have_count(2)  # a diamond at 30, a cross where there is no number
    assert page.locator("#results .bar").count() > 1
    page.locator("#results summary").click()
    expect(page.locator("#results details li")).to_have_text(
        [
            "6 steps, norms from 1 to 30; the median of the second half is 3",
            "Threshold: 4.5",
            "3 of 6 steps are above it",
            "Spikes: 2, 4",
            "Not finite: 2",
        ]
    )


def test_norms_without_a_threshold_say_where_it_will_be(page: Page) -> None:
    draw(page, "norms", {"norms": [0, 0, 1], "threshold": None, "spikes": []})
    expect(page.locator("#results figcaption")).to_contain_text("once choose_threshold is written")
    expect(page.locator("#results .threshold")).to_have_count(0)


def test_the_factor_of_a_study_moves_its_threshold(page: Page) -> None:
    draw(page, "norms", {"norms": [8, 2, None, 1, 30, 3], "factor": 1.5})
    said = page.locator("#results output")
    expect(said).to_have_text("Factor 1.5 × median 3 = threshold 4.5: 3 of 6 steps would be clipped, 50 %.")
    page.get_by_label("Factor").fill("0.5")
    expect(said).to_have_text("Factor 0.5 × median 3 = threshold 1.5: 5 of 6 steps would be clipped, 83.3 %.")
    expect(page.locator("#results .threshold")).to_have_count(1)
    expect(page.locator("#results")).not_to_contain_text("choose_threshold")


@pytest.mark.parametrize(
    ("norms", "said"),
    [(None, "must return a list of numbers"), ([], "must return a list of numbers"),
     ([1, 2, None, None], "No norm of the second half is finite"),
     (["<b>1</b>", {}], "No norm of the second half is finite")],
)  # fmt: skip
def test_a_study_without_a_median_says_so(page: Page, norms: JsonValue, said: str) -> None:
    draw(page, "norms", {"norms": norms, "factor": 1.5})
    expect(page.locator("#results")).to_contain_text(said)
    expect(page.locator("#results input")).to_have_count(0)
    expect(page.locator("#results b")).to_have_count(0)


def test_regions_are_played_and_said_epoch_by_epoch(page: Page) -> None:
    draw(page, "regions", REGIONS, "passed")
    said = page.locator("#results .plane__said")
    expect(said).to_have_text("Epoch 9: 100 % of the points in their own region, loss 0.25")
    expect(page.get_by_role("img", name="Decision regions. Epoch 9: 100 %")).to_be_visible()
    page.get_by_role("button", name="One epoch back").click()
    expect(said).to_have_text("Epoch 3: 50 % of the points in their own region, loss –")
    expect(page.get_by_role("slider", name="Epoch")).to_have_attribute("aria-valuetext", "Epoch 3 of 9")
    page.get_by_label("Speed").select_option("4×")
    page.get_by_role("button", name="Play").click()
    expect(said).to_contain_text("Epoch 9:")
    expect(page.get_by_role("button", name="Play")).to_be_visible()  # at the end it stops
    page.locator("#results summary").click()
    expect(page.locator("#results details li")).to_have_text(
        [
            "Epoch 0: 33 % of the points in their own region, loss 1.2",
            "Epoch 3: 50 % of the points in their own region, loss –",
            "Epoch 9: 100 % of the points in their own region, loss 0.25",
            "Best epoch: 9",
        ]
    )


def test_regions_follow_the_theme_and_the_wish_for_no_motion(page: Page) -> None:
    picture = "document.querySelector('#results canvas').toDataURL()"
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    draw(page, "regions", REGIONS)
    expect(page.locator("#results .plane__said")).to_contain_text("Epoch 9")
    expect(page.get_by_role("button", name="Play")).to_have_count(0)
    light = page.evaluate(picture)
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(picture) != light


@pytest.mark.parametrize("kind", ["unheard-of", "constructor"])
def test_an_unknown_kind_stays_its_data(page: Page, kind: str) -> None:
    draw(page, kind, [1])
    expect(page.locator("#results pre")).to_have_text("the data")
