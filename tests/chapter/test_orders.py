"""The loop in every order of its lines: the two answers agree with each other and with what the page reads."""

import json

from chapter.orders import ERRORS, FINDINGS, OUTPUT, follow, orders, outcomes


def test_following_an_order_foretells_what_running_it_shows() -> None:
    for order, outcome in outcomes().items():
        finding = follow(order)
        foretold = "error" if finding in ERRORS else "right" if finding == "right" else "silent"
        assert outcome == foretold, (order, finding)


def test_the_page_reads_these_findings() -> None:
    document = json.loads(OUTPUT.read_text(encoding="utf-8"))
    assert document["findings"] == FINDINGS
    assert document["orders"] == {" ".join(order): follow(order) for order in orders()}
    assert sum(document["summary"].values()) == 120
