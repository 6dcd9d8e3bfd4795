"""Whether an exercise can be read in every language: titles, messages and sentences, and their translations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from string import Formatter

from babel.messages.pofile import read_po

from judge.author.finding import Finding
from judge.author.suite import read_suite
from judge.exercise import Exercise
from judge.language import EXERCISE_LANGUAGES, figure_in

SUITES = ("test_hidden.py", "test_sample.py")
# A message is for a learner: no path, nothing that only means something to who wrote the suite.
_PATH = re.compile(r"(?<![\w.])(?:~|\.{1,2})?/[\w.-]+/|\b[A-Za-z]:\\")
_SUITE_WORDS = re.compile(r"\btest_\w+|\b(?:pytest|probe|probe\.py|fixture|hidden test|AssertionError)\b|\bassert\b")


def wording(exercise: Exercise, shown: Iterable[str] = ()) -> Iterator[Finding]:
    """What is wrong with the exercise's texts. `shown` are templates of messages that were seen when judging."""
    templates = set(shown)
    texts = dict.fromkeys(templates, SUITES[0])  # each text to translate, and the file it stands in
    constants: set[str] = set()
    for name in SUITES:
        suite = read_suite(exercise.root / name)
        texts |= dict.fromkeys([*suite.titles, *suite.words], name)
        for check, line in suite.untitled.items():
            yield Finding(
                name, "title", f"line {line}: check `{check}` has no docstring, whose first line is its title"
            )
        for line in suite.formatted:
            cause = f"line {line}: the message is put together before it can be translated; name its values instead"
            yield Finding(name, "message", cause)
        for line in suite.asserts:
            cause = f"line {line}: `assert` tells the learner nothing; use `expect` with a message"
            yield Finding(name, "message", cause)
        constants |= suite.constants
        for template, line in suite.messages.items():
            texts.setdefault(template, name)
            templates.add(template)
            yield from _template(name, line, template)
    for mistake in exercise.mistakes.values():
        texts.setdefault(mistake.sentence, f"wrong/{mistake.files[0].name}")
    if exercise.study:
        texts.setdefault(exercise.study.sentence, "study.py")

    def word_of_symptom(word: str) -> str:
        texts.setdefault(word, "symptom.json")
        return word

    figure_in(exercise.symptom, word_of_symptom)
    for language in EXERCISE_LANGUAGES:
        if language != "en":
            yield from _translations(exercise, language, texts, templates, constants)


def leak(text: str) -> str:
    """What in a message as learners see it is none of their business, or ""."""
    found = _PATH.search(text) or _SUITE_WORDS.search(text)
    return found.group().strip() if found else ""


def fields(template: str) -> set[str] | None:
    """The names a template asks values for; None if it cannot be filled in."""
    try:
        return {re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError:
        return None


def _template(file: str, line: int, template: str) -> Iterator[Finding]:
    if not template.strip():
        yield Finding(file, "message", f"line {line}: the message is empty")
    elif fields(template) is None or "" in (fields(template) or ()):
        yield Finding(
            file, "message", f"line {line}: the message cannot be filled in; write braces that are meant twice"
        )
    elif leak(template):
        yield Finding(
            file, "leak", f"line {line}: the message says {leak(template)!r}, which means nothing to a learner"
        )


def _translations(
    exercise: Exercise, language: str, texts: dict[str, str], templates: set[str], constants: set[str]
) -> Iterator[Finding]:
    file = f"locale/{language}.po"
    with (exercise.root / file).open("rb") as stream:
        entries = {entry.id: entry for entry in read_po(stream) if isinstance(entry.id, str) and entry.id}
    for text, place in texts.items():
        entry = entries.get(text)
        if entry is None or not entry.string:
            yield Finding(file, "untranslated", f"a text of {place} has no translation: {_quoted(text)}", _entry(text))
        elif entry.fuzzy:
            yield Finding(file, "untranslated", f"the translation is marked fuzzy: {_quoted(text)}")
        elif text in templates and fields(str(entry.string)) != fields(text):
            yield Finding(file, "translation", f"the translation has other values in braces: {_quoted(text)}")
    for text in sorted(entries.keys() - texts.keys() - constants):
        yield Finding(file, "unused", f"nothing in the exercise says this any more: {_quoted(text)}")


def _entry(text: str) -> str:
    """The entry to fill in, as the catalogue wants it."""
    return f'msgid {json.dumps(text, ensure_ascii=False)}\nmsgstr ""\n'


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 70 else text[:67] + "...")
