"""Which known mistake gives exactly what a submission gives.

A mistake explains a failing check when the check, run again with one of the mistake's programs as its learner, leaves
the learner's evidence, and the reference leaves other evidence. Mistakes that leave the same numbers are told apart by
the order of events: the most similar sequence wins, whichever program it is of. Where nothing is certain, nothing is
said.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from judge.examiner.check import Outcome
from judge.verdict import Diagnosis, Status

# replay(mistake, check, learner): how the check ends with each program of the mistake that explains the learner's
# outcome, or, where none is given, that passes. A program is run when its outcome is asked for.
Replay = Callable[[str, str, Outcome | None], Iterable[Outcome]]

_MAX_EVENTS = 500  # comparing takes time by the square, and a box may send any number


@dataclass
class Diagnosing:
    outcomes: Mapping[str, Outcome]  # the learner's, by check
    sentences: Mapping[str, str]  # of all known mistakes, by name
    replay: Replay
    fails: Mapping[str, Sequence[frozenset[str] | None]]  # by mistake: what each of its programs fails, where known
    budget_s: float
    _deadline: float = field(init=False)
    _latest: float = field(init=False)

    def __post_init__(self) -> None:
        self._deadline = _processor_s() + self.budget_s
        # Others wait, however little of the processor we get.
        self._latest = time.monotonic() + 4 * self.budget_s
        self._tried: dict[tuple[str, str], float | None] = {}  # by mistake and check
        failing = [check for check, outcome in self.outcomes.items() if outcome.status != Status.PASSED]
        # Where few mistakes can show, few have to be tried, and then fewer on the others.
        self._failing = sorted(failing, key=lambda check: sum(self._may_fail(name, check) for name in self.sentences))

    def diagnoses(self) -> list[Diagnosis]:
        """The mistake that explains all failing checks; else those that different checks show; else nothing."""
        whole = self._explaining_whole()
        if self._out_of_time():
            return []
        if whole:
            name = self._likeliest(whole)
            return [self._diagnosis(name, self._failing)] if name is not None else []
        shown: dict[str, list[str]] = {}
        for check in self._failing:
            similar = self._explaining(check, self.sentences)
            name = self._likeliest({name: alike for name, alike in similar.items() if self._consistent(name)})
            if name is not None:
                shown.setdefault(name, []).append(check)
        self._add_seldom_seen(shown)
        # One known mistake beside a failure that nothing explains may be a coincidence; two are not.
        covered = sum(map(len, shown.values())) == len(self._failing)
        certain = not self._out_of_time() and (covered or len(shown) > 1)
        return [self._diagnosis(name, checks) for name, checks in shown.items()] if certain else []

    def _add_seldom_seen(self, shown: dict[str, list[str]]) -> None:
        """Add checks to the mistakes that fail them too, though they were never seen to: another seed may do that."""
        for check in self._failing:
            if not self._out_of_time() and not any(check in checks for checks in shown.values()):
                name = next((name for name in shown if self._most_alike(name, check) is not None), None)
                if name is not None:
                    shown[name].append(check)

    def _explaining_whole(self) -> dict[str, float]:
        """The mistakes that may explain the submission as a whole, with how similar they are over all checks."""
        if not self._failing:
            return {}
        exact = [name for name, programs in self.fails.items() if frozenset(self._failing) in programs]
        # Nothing is more similar than what does the same throughout; those that do so in one check are tried first.
        same = [name for name in exact if self._alike(name, self._failing[0]) == 1.0]
        throughout = {n: alike for n, alike in self._explaining_all(same).items() if alike == len(self._failing)}
        return throughout or self._explaining_all(exact) or self._explaining_all(self.sentences)

    def _explaining_all(self, mistakes: Collection[str]) -> dict[str, float]:
        """Those of `mistakes` that explain every failing check. After the first few are left to try on the others."""
        left = dict.fromkeys(mistakes, 0.0)
        for check in self._failing:
            similar = self._explaining(check, left)
            left = {mistake: left[mistake] + alike for mistake, alike in similar.items()}
        return left

    def _explaining(self, check: str, mistakes: Collection[str]) -> dict[str, float]:
        """Those of `mistakes` that explain `check`, with how similar their events are to the learner's."""
        return {name: alike for name in mistakes if (alike := self._alike(name, check)) is not None}

    def _alike(self, mistake: str, check: str) -> float | None:
        key = mistake, check
        if key not in self._tried:
            tried = self._may_fail(mistake, check) and not self._out_of_time()
            self._tried[key] = self._most_alike(mistake, check) if tried else None
        return self._tried[key]

    def _most_alike(self, mistake: str, check: str) -> float | None:
        """How similar the events are of that program of the mistake whose events are the most similar."""
        learner = self.outcomes[check]
        most = None
        for outcome in self.replay(mistake, check, learner):
            most = max(most or 0.0, _similarity(outcome.events, learner.events))
            if most == 1.0 or self._out_of_time():
                break
        return most

    def _may_fail(self, mistake: str, check: str) -> bool:
        """Whether a mistake can show in a check at all; many are known not to."""
        return any(failed is None or check in failed for failed in self.fails[mistake])

    def _likeliest(self, similar: Mapping[str, float]) -> str | None:
        """The mistake whose events are most similar; among equals the one that passes whatever the learner passes."""
        best = max(similar.values(), default=0.0)
        names = [name for name, alike in similar.items() if alike >= best - 1e-9]
        if len(names) > 1:
            names = [name for name in names if self._consistent(name)]
        return names[0] if len(names) == 1 else None

    def _consistent(self, mistake: str) -> bool:
        """Whether the mistake passes every check that the learner passes."""
        passed = [check for check in self.outcomes if check not in self._failing]
        return all(any(True for _ in self.replay(mistake, check, None)) for check in passed)

    def _diagnosis(self, mistake: str, checks: list[str]) -> Diagnosis:
        in_order = [check for check in self.outcomes if check in checks]
        return Diagnosis(mistake=mistake, sentence=self.sentences[mistake], checks=in_order)

    def _out_of_time(self) -> bool:
        return _processor_s() > self._deadline or time.monotonic() > self._latest


def _processor_s() -> float:
    """Processor time used so far, also by children: on a busy machine a diagnosis takes longer, not less."""
    return sum(os.times()[:4])


def _similarity(events: list[object], others: list[object]) -> float:
    """From 0 to 1, how alike two event logs are."""
    flat, other_flat = _flat(events)[:_MAX_EVENTS], _flat(others)[:_MAX_EVENTS]
    return SequenceMatcher(None, flat, other_flat, autojunk=False).ratio()


def _flat(events: list[object]) -> list[str]:
    flat: list[str] = []
    for event in events:
        if isinstance(event, (list, tuple)):
            flat += _flat(list(event))
        elif event is None or isinstance(event, (str, int, float)):
            flat.append(str(event))
        else:  # no probe of ours notes such; to write out a tensor may take minutes
            flat.append(type(event).__name__)
    return flat
