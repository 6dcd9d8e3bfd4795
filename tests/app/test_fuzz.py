"""Whatever is sent to the site, the answer is not a server's error: to the API by its own schema, and anywhere."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance
from starlette.testclient import TestClient

from tests.app.conftest import send

bounded = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_the_api_answers_anything(site: FastAPI, visitor: object) -> None:
    for found in schemathesis.openapi.from_asgi("/api/openapi.json", site).get_all_operations():

        @bounded
        @given(case=found.ok().as_strategy())
        def answers(case: Case) -> None:
            answer = case.call()
            case.validate_response(answer, checks=[not_a_server_error])
            if answer.status_code < 300:
                case.validate_response(answer, checks=[response_schema_conformance])

        answers()


TEXT = st.text(max_size=300)
METHOD = st.sampled_from(["GET", "POST", "PUT"])
KIND = st.sampled_from(["application/json", "application/x-www-form-urlencoded", ""])
HEADER = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=300)


@bounded
@given(
    path=TEXT, query=TEXT, cookie=HEADER, language=HEADER, last=HEADER, method=st.sampled_from(["GET", "POST", "PUT"])
)
def test_any_address_and_header(
    visitor: Callable[[], TestClient], path: str, query: str, cookie: str, language: str, last: str, method: str
) -> None:
    headers = {"Cookie": f"learner={cookie}", "Accept-Language": language, "Last-Event-ID": last}
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    answer = visitor().request(method, "/en/" + quote(path), params={"q": query}, headers=encoded)
    assert answer.status_code < 500


@bounded
@given(
    body=st.binary(max_size=3000), kind=st.sampled_from(["application/json", "application/x-www-form-urlencoded", ""])
)
def test_any_body(visitor: Callable[[], TestClient], body: bytes, kind: str) -> None:
    for path in ("/en/exercises/loop", "/api/exercises/loop/submissions", "/api/runs"):
        assert visitor().post(path, content=body, headers={"Content-Type": kind}).status_code < 500


@bounded
@given(query=TEXT, last=HEADER)
def test_any_search_and_place_in_the_events(visitor: Callable[[], TestClient], query: str, last: str) -> None:
    browser = visitor()
    assert browser.get("/en/search", params={"q": query}).status_code == 200
    number = send(browser, "x")
    assert (
        browser.get(f"/api/submissions/{number}", headers={"Last-Event-ID": last.encode("latin-1")}).status_code == 200
    )
