"""The small drawings of measured series."""

from xml.etree import ElementTree

from chapter.picture import points, svg
from chapter.read import load_measured


def test_a_curve_spans_the_drawing() -> None:
    assert points([0.0, 1.0], 0.0, 1.0) == "3.0,37.0 117.0,3.0"


def test_flat_curves_are_drawn_too() -> None:
    assert points([5.0], 5.0, 5.0) == "3.0,37.0"
    assert svg({"right": [1.0, 1.0], "wrong": [1.0, 1.0]}, "flat").count("<polyline") == 2


def test_every_measured_series_is_a_drawing() -> None:
    drawn = [svg(facts["series"], "a < b") for facts in load_measured().values() if "series" in facts]  # type: ignore[arg-type]
    assert len(drawn) >= 12
    for drawing in drawn:
        assert [curve.get("class") for curve in ElementTree.fromstring(drawing)] == ["right", "wrong"]
        assert ElementTree.fromstring(drawing).get("aria-label") == "a < b"
