"""Prints a verdict as it comes in, for a person at a terminal. Colour only there, and not with NO_COLOR."""

from __future__ import annotations

import textwrap

from rich.console import Console
from rich.text import Text

from judge.language import Translate
from judge.text import filled
from judge.verdict import CheckEnded, CheckResult, Event, Finished, Message, Status, Verdict

_MARKS = {Status.PASSED: ("✓", "green"), Status.FAULT: ("!", "yellow")}
_OTHER_MARK = ("✗", "red")


class VerdictPrinter:
    def __init__(self, translate: Translate) -> None:
        self._say = translate
        self._console = Console(highlight=False)

    def show(self, event: Event) -> None:
        if isinstance(event, CheckEnded):
            self._check(event.check)
        elif isinstance(event, Finished):
            self._verdict(event.verdict)

    def _check(self, check: CheckResult) -> None:
        mark, colour = _MARKS.get(check.status, _OTHER_MARK)
        self._console.print(Text.assemble((mark, colour), f" {self._say(check.title)}"), soft_wrap=True)
        if check.message is not None:
            self._indented(self._sentence(check.message))
        if check.traceback:
            self._indented(check.traceback)

    def _verdict(self, verdict: Verdict) -> None:
        if verdict.message is not None:
            self._console.print(Text(self._sentence(verdict.message)), soft_wrap=True)
        if verdict.prints:
            self._console.print(Text("\n" + self._say("What your code printed:"), "bold"))
            self._indented(verdict.prints.rstrip())
        for diagnosis in verdict.diagnoses:
            self._console.print(Text(f"\n{self._say('The mistake')}: {diagnosis.mistake}", "bold"))
            self._indented(self._say(diagnosis.sentence))
        passed = sum(check.status == Status.PASSED for check in verdict.checks)
        summary = self._say("{status}: {passed} of {count} checks in {seconds:.2f} s (seed {seed})").format(
            status=self._say(verdict.status.value),
            passed=passed,
            count=len(verdict.checks),
            seconds=verdict.duration_ms / 1000,
            seed=verdict.seed,
        )
        _, colour = _MARKS.get(verdict.status, _OTHER_MARK)
        self._console.print(Text("\n" + summary, f"bold {colour}"), soft_wrap=True)

    def _sentence(self, message: Message) -> str:
        return filled(self._say(message.template), message.values)

    def _indented(self, text: str) -> None:
        width = max(40, min(self._console.width, 100)) - 4
        for line in text.splitlines():
            margin = line[: len(line) - len(line.lstrip())][: width // 2]
            wrapped = textwrap.fill(line.strip(), width, initial_indent=margin, subsequent_indent=margin)
            self._console.print(Text(textwrap.indent(wrapped, "    ")), soft_wrap=True)
