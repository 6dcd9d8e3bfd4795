"""Every sentence the judge can say exists in every language, with the same values in it."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.exercise import Exercise
from judge.language import LANGUAGES, catalogue, exercise_language, localized, translator
from judge.verdict import CheckEnded, CheckResult, Diagnosis, Figure, Finished, Message, Started, Status, Verdict

JUDGE = Path(__file__).resolve().parent.parent.parent / "judge"
LOCALE = JUDGE / "locale"
# What only the site says is in its own catalogue.
CATALOGUES = (LOCALE, JUDGE.parent / "app" / "locale")
# Instructors' tools and what only logs hold speak English.
UNTRANSLATED = ("author", "migrations")


def sentences() -> Iterator[tuple[str, str]]:
    """Every literal text that is a `template`, or is handed to `say`; with the place it stands in."""
    for path in sorted(JUDGE.rglob("*.py")):
        if path.relative_to(JUDGE).parts[0] in UNTRANSLATED:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            for text in _sentences_of(node):
                yield f"{path.name}:{getattr(node, 'lineno', 0)}", text
    yield from (("verdict.py", status.value) for status in Status)


def _sentences_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("say", "_say"):
            yield from (text for argument in node.args for text in _texts(argument))
        if name == "Message":
            yield from (
                text for keyword in node.keywords if keyword.arg == "template" for text in _texts(keyword.value)
            )
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _assigned(target, node.value)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its_value in zip(target.elts, value.elts, strict=True):
            yield from _assigned(one, its_value)
    elif isinstance(target, ast.Name) and target.id in ("template", "text"):
        yield from _texts(value)
    elif isinstance(target, ast.Name) and target.id.isupper():  # a sentence with a name
        yield from (text for text in _texts(value) if " " in text and text.endswith("."))


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


SENTENCES = dict.fromkeys(text for _, text in sentences())
PLACES = {text: place for place, text in sentences()}
OTHERS = [language for language in LANGUAGES if language != "en"]


def fields(template: str) -> list[tuple[str, str]]:
    return sorted((name, spec or "") for _, name, spec, _ in string.Formatter().parse(template) if name is not None)


def test_the_search_finds_what_is_there() -> None:
    assert len(SENTENCES) > 35
    for known in (
        "Your code raised {error}",
        "Stopped after {seconds:g} s without an answer.",
        "The mistake",
        "passed",
    ):
        assert known in SENTENCES


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:40])
def test_every_sentence_is_translated_with_its_values(text: str, language: str) -> None:
    messages = {text: said for folder in CATALOGUES for text, said in catalogue(folder, language).items()}
    assert text in messages, f"{PLACES[text]} says what no {language}.po does"
    assert fields(messages[text]) == fields(text)


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_left_over(language: str) -> None:
    elsewhere = "".join(path.read_text() for path in JUDGE.rglob("*.py"))
    left = [text for text in catalogue(LOCALE, language) if text not in SENTENCES and text not in elsewhere]
    assert left == []


def test_english_needs_no_catalogue() -> None:
    assert catalogue(LOCALE, "en") == {}
    assert translator("en")("anything") == "anything"


def test_the_exercises_own_sentences_win(tmp_path: Path) -> None:
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    (tmp_path / "zh.po").write_text(header + 'msgid "passed"\nmsgstr "对"\n', encoding="utf-8")
    assert translator("zh", tmp_path)("passed") == "对"
    assert translator("zh")("passed") == "通过"
    assert translator("zh", tmp_path)("unknown") == "unknown"


def test_a_broken_catalogue_says_so(tmp_path: Path) -> None:
    (tmp_path / "zh.po").write_text("msgid a")
    with pytest.raises(ValueError, match=r"zh\.po"):
        catalogue(tmp_path, "zh")


def test_a_changed_catalogue_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "zh.po"
    path.write_text('msgid "a"\nmsgstr "b"\n')
    assert catalogue(tmp_path, "zh") == {"a": "b"}
    path.write_text('msgid "a"\nmsgstr "changed"\n')
    assert catalogue(tmp_path, "zh") == {"a": "changed"}


def verdict(**more: object) -> Verdict:
    data = {"exercise": "demo", "exercise_hash": "0", "status": Status.FAILED, "seed": 1, "duration_ms": 1.0}
    return Verdict.model_validate(data | more)


def test_a_verdict_becomes_final_text(demo: Exercise) -> None:
    check = CheckResult(
        id="scale",
        title="`scale` multiplies every element",
        status=Status.FAILED,
        message=Message(
            template="`scale` must multiply by {factor:.3f}; yours returned {got}.",
            values={"factor": 4.5, "got": "{x}"},
        ),
        duration_ms=1,
    )
    diagnosis = Diagnosis(
        mistake="adds", sentence="`scale` adds the factor instead of multiplying by it.", checks=["scale"]
    )
    word = "`scale` multiplies every element"
    data = {"title": word, "message": None, "y_label": word, "series": [{"label": word, "values": [1]}]}
    figure = Figure(check="scale", kind="lines", data=data)
    shown = localized(verdict(checks=[check], diagnoses=[diagnosis], figures=[figure]), demo.translate("zh"))
    assert shown["message"] == ""
    (shown_check,) = shown["checks"]  # type: ignore[misc]
    assert shown_check["title"] == "`scale` 把每个元素相乘"  # type: ignore[index,call-overload]
    assert shown_check["message"] == "`scale` 应当乘以 4.500；你的返回了 {x}。"  # type: ignore[index,call-overload]
    (shown_diagnosis,) = shown["diagnoses"]  # type: ignore[misc]
    assert shown_diagnosis["sentence"] == "`scale` 加上了系数，而不是乘以它。"  # type: ignore[index,call-overload]
    (shown_figure,) = shown["figures"]  # type: ignore[misc]
    said = "`scale` 把每个元素相乘"  # of a figure only what is read
    expected = data | {"y_label": said, "series": [{"label": said, "values": [1]}]}
    assert shown_figure == figure.model_dump() | {"data": expected}


def test_events_become_final_text(demo: Exercise) -> None:
    translate = demo.translate("zh")
    started = Started.model_validate({"checks": [{"id": "scale", "title": "`scale` multiplies every element"}]})
    assert localized(started, translate)["checks"] == [{"id": "scale", "title": "`scale` 把每个元素相乘"}]
    check = CheckResult(id="a", title="untranslated", status=Status.PASSED, duration_ms=1)
    assert localized(CheckEnded(check=check), translate)["check"] == check.model_dump() | {"message": ""}
    template = "The file is nested too deeply to be read."
    finished = Finished(verdict=verdict(message=Message(template=template)))
    assert localized(finished, translate)["verdict"]["message"] == "文件嵌套太深，无法读取。"  # type: ignore[index,call-overload]


def test_an_exercise_speaks_english_to_who_reads_another_language(demo: Exercise) -> None:
    assert [exercise_language(reader) for reader in ("en", "zh", "ko", "de")] == ["en", "zh", "en", "en"]
    translate = demo.translate("ko")
    title = "`scale` multiplies every element"
    own = Message(template="The file is nested too deeply to be read.")
    exercises = Message(template="`scale` must multiply by {factor:.3f}; yours returned {got}.", values={"factor": 1.0})
    checks = [
        CheckResult(id="scale", title=title, status=Status.FAILED, message=message, duration_ms=1)
        for message in (own, exercises)
    ]
    first, second = localized(verdict(checks=checks), translate)["checks"]  # type: ignore[misc]
    assert first["title"] == title  # type: ignore[index,call-overload]
    assert (first["message_language"], second["message_language"]) == ("ko", "en")  # type: ignore[index,call-overload]
    assert first["message"] != own.template  # type: ignore[index,call-overload]
    assert second["message"].startswith("`scale` must multiply by 1.000")  # type: ignore[index,call-overload,union-attr]


def test_values_that_no_format_fits_are_shown_as_they_are(demo: Exercise) -> None:
    message = Message(
        template="The mean is {expected:.4f}, yours is {got:.4f}.", values={"expected": 1.0, "got": "Tensor"}
    )
    assert str(message) == "The mean is 1.0000, yours is Tensor."
    shown = localized(verdict(message=message), demo.translate("zh"))
    assert shown["message"] == "平均数是 1.0000，你的是 Tensor。"
