"""Exercises and submissions as the pages show them: in one language, with nothing the learner may not see."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from fastapi import Request
from markupsafe import Markup
from pydantic import JsonValue
from sqlalchemy import Engine

from app.words import HTML_LANGUAGES, N_, words
from judge import store, tables
from judge.exercise import Exercise, Shelf
from judge.language import Translator, exercise_language, localized, translator
from judge.shelves import Shelves
from judge.verdict import Status

# What a status is called: of a check, and of a whole submission. The icon says the same to the eye.
CHECK_WORDS = {
    Status.PASSED: N_("Passed"),
    Status.FAILED: N_("Not right yet"),
    Status.ERROR: N_("Raised an error"),
    Status.TIMEOUT: N_("Took too long"),
    Status.MEMORY: N_("Needed too much memory"),
    Status.REJECTED: N_("Not run"),
    Status.FAULT: N_("Our fault"),
}
ICONS = {Status.PASSED: "passed", Status.FAILED: "failed", Status.FAULT: "fault"}
DIFFICULTIES = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard"), "capstone": N_("capstone")}


def icon(status: str) -> str:
    return ICONS.get(Status(status), "stopped")


def shelf(request: Request) -> Shelf:
    """The exercises as they are now."""
    shelves: Shelves = request.app.state.shelves
    return shelves.shelf()


def translate(exercise: Exercise | None, lang: str) -> Translator:
    """For the sentences of a verdict. Without its exercise, which may be gone, only the judge's own are translated."""
    return exercise.translate(lang) if exercise else translator(lang)


def lang_attribute(lang: str, written: str | None = None) -> Markup:
    """For a tag on a page in `lang`: in which other language its text is. Without `written` it is an exercise's."""
    written = written or exercise_language(lang)
    return Markup(' lang="{}"').format(HTML_LANGUAGES[written]) if written != lang else Markup()


@dataclass(frozen=True)
class SubmissionView:
    """A submission with its verdict in one language; without one, `verdict` is None."""

    id: int
    exercise: Exercise | None  # None when the exercise is no longer there
    title: str
    created_at: datetime
    source: str
    verdict: Mapping[str, JsonValue] | None
    position: int | None


def submission_view(engine: Engine, exercises: Shelf, submission: tables.Submission, lang: str) -> SubmissionView:
    exercise = exercises.exercises.get(submission.exercise)
    assert submission.id is not None
    verdict = store.verdict_of(engine, submission.id, submission.attempt)
    return SubmissionView(
        id=submission.id,
        exercise=exercise,
        title=exercise.title(lang) if exercise else submission.exercise,
        created_at=submission.created_at,
        source=submission.source_text,
        verdict=localized(verdict, translate(exercise, lang)) if verdict else None,
        position=store.position(engine, submission.id),
    )


def checks_of(verdict: Mapping[str, JsonValue]) -> list[dict[str, JsonValue]]:
    checks = verdict["checks"]
    assert isinstance(checks, list)
    return [check for check in checks if isinstance(check, dict)]


def check_titles(verdict: Mapping[str, JsonValue]) -> dict[str, str]:
    return {str(check["id"]): str(check["title"]) for check in checks_of(verdict)}


def failing_count(verdict: Mapping[str, JsonValue]) -> int:
    return sum(check["status"] != Status.PASSED for check in checks_of(verdict))


def headline(verdict: Mapping[str, JsonValue], lang: str) -> str:
    """A verdict in one line."""
    _ = words(lang)
    count, failing = len(checks_of(verdict)), failing_count(verdict)
    match Status(str(verdict["status"])):
        case Status.PASSED:
            return _("All {count} checks passed", count=count)
        case Status.REJECTED:
            return _("Not run yet: the file has to be mended first")
        case Status.FAULT:
            return _("The judge broke. This says nothing about your solution")
        case _:
            return _("{failing} of {count} checks did not pass", failing=failing, count=count)


def duration(milliseconds: float) -> str:
    if milliseconds < 1000:
        return f"{math.ceil(milliseconds)} ms"
    return f"{milliseconds / 1000:.1f} s"
