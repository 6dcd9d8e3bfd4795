"""The learner's desk: the course, an exercise, own submissions."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app import view
from app.instructor import problems
from app.learner import LearnerId
from app.pages import language, render
from app.refusal import NO_EXERCISE, NO_SUBMISSION, Refusal
from app.section import reading_of
from judge import store, tables
from judge.exercise import Exercise

router = APIRouter(include_in_schema=False)
Lang = Literal["en", "zh", "ko"]
State = Literal["new", "tried", "passed"]


@router.get("/")
def front(request: Request) -> Response:
    return RedirectResponse(f"/{language(request)}/", 303, headers={"Vary": "Accept-Language, Cookie"})


@router.get("/{lang}/")
def course(request: Request, lang: Lang, learner_id: LearnerId) -> Response:
    exercises = list(view.shelf(request).exercises.values())
    states = states_of(request, learner_id)
    return render(request, "course.html", exercises=exercises, states=states, problems=problems(request))


def states_of(request: Request, learner_id: int) -> dict[str, State]:
    """How far the learner is with each exercise begun."""
    engine = request.app.state.engine
    tried = store.begun_exercises(engine, learner_id)
    passed = store.passed_exercises(engine, learner_id)
    return {name: "passed" if name in passed else "tried" for name in tried | passed}


@router.get("/{lang}/exercises/{exercise_id}")
def exercise_page(request: Request, lang: Lang, exercise_id: str, learner_id: LearnerId) -> Response:
    exercise = find_exercise(request, exercise_id)
    engine = request.app.state.engine
    listed = store.submissions_of(engine, learner_id, exercise=exercise.id, limit=1)
    last = store.get_submission(engine, listed[0].id) if listed else None
    shown = view.submission_view(engine, view.shelf(request), last, lang) if last else None
    return render(
        request,
        "exercise.html",
        exercise=exercise,
        problem=problems(request).get(exercise.id),
        passed=exercise.id in store.passed_exercises(engine, learner_id),
        reading=reading_of(exercise, lang),
        submission=shown,
        source=shown.source if shown else exercise.starter,
        learner_id=learner_id,
    )


@router.get("/{lang}/submissions")
def submissions(request: Request, lang: Lang, learner_id: LearnerId) -> Response:
    exercises = view.shelf(request).exercises
    listed = store.submissions_of(request.app.state.engine, learner_id)
    titles = {name: exercises[name].title(lang) if name in exercises else name for name in {s.exercise for s in listed}}
    return render(request, "submissions.html", submissions=listed, titles=titles)


@router.get("/{lang}/submissions/{submission_id}")
def submission_page(request: Request, lang: Lang, submission_id: int, learner_id: LearnerId) -> Response:
    submission = own_submission(request, submission_id, learner_id)
    shown = view.submission_view(request.app.state.engine, view.shelf(request), submission, lang)
    return render(request, "submission.html", submission=shown)


def find_exercise(request: Request, exercise_id: str) -> Exercise:
    try:
        return view.shelf(request).exercises[exercise_id]
    except KeyError:
        raise Refusal(404, NO_EXERCISE) from None


def own_submission(request: Request, submission_id: int, learner_id: int) -> tables.Submission:
    """The submission if it is the learner's; another's looks like none at all."""
    # Databases hold no other numbers.
    in_range = 0 < submission_id < 2**31
    submission = store.get_submission(request.app.state.engine, submission_id) if in_range else None
    if submission is None or submission.learner_id != learner_id:
        raise Refusal(404, NO_SUBMISSION)
    return submission
