"""A suite: a file of checks, which are its functions whose names begin with `test`, in their order.

A check asks for what it needs by the names of its parameters, and `check.run_check` gives it:

    learner     calls of the probe, answered by the learner's solution in a box: learner.collate(batch=...)
                learner.restart() sends the next call to a new process, learner.keep_files() lets files pass from
                process to process, learner.to_the_end.fit(...) calls in a process that may die of it
    reference   the same calls, answered by the exercise's own solution
    rng         random.Random, drawn anew for each judging and check
    seed        an int below 2**31, for whatever seeds itself
    device      "cpu" or "cuda"
    figure      figure(kind, **data): a picture on the page, in JSON
    evidence    evidence(**facts): what of a free answer tells mistakes apart

They are no fixtures of pytest's, which lives through one run: a check that failed runs again with other subjects. So
pytest need not look for any, which took longer than all else before the first check.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from judge.examiner.check import CheckFunction


@dataclass(frozen=True)
class Check:
    id: str
    title: str
    function: CheckFunction


def read_checks(path: Path) -> dict[str, Check]:
    """The checks of a suite's file by their ids, in their order. Raises whatever the file raises when it is run."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where its dataclasses look for their annotations
    spec.loader.exec_module(module)
    checks = [
        Check(name.removeprefix("test_"), (value.__doc__ or name).strip().splitlines()[0], value)
        for name, value in vars(module).items()
        if name.startswith("test") and isinstance(value, types.FunctionType)
    ]
    return {check.id: check for check in checks}


class Suite(pytest.File):
    """A suite's file as pytest's collector; `run` is given each check when it is its turn."""

    def __init__(self, *, run: Callable[[Check], None], **arguments: Any) -> None:
        super().__init__(**arguments)
        self._run = run

    def collect(self) -> Iterator[Item]:
        for check in read_checks(self.path).values():
            yield Item.from_parent(self, name=check.id, check=check, run=self._run)


class Item(pytest.Item):
    """A check as pytest's item."""

    def __init__(self, *, check: Check, run: Callable[[Check], None], **arguments: Any) -> None:
        super().__init__(**arguments)
        self.check = check
        self._run = run

    def runtest(self) -> None:
        self._run(self.check)
