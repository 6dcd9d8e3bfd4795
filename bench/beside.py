"""A pytest plugin that runs a hidden suite the usual way: learner's code and tests side by side in one process.

What our verdicts are compared with; nothing of the product uses it. The learner's file is named by BENCH_SOLUTION.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.examiner.check import Outcome, run_check
from judge.examiner.subject import Local
from judge.limits import Limits
from judge.verdict import Status

SEED = 7
LIMITS = Limits()


def run_beside(function: object, folder: Path, solution: Path) -> Outcome:
    """One check with probe, solution and reference in this process."""
    assert callable(function)
    probe = (folder / "probe.py").read_text(encoding="utf-8")
    reference = Local(folder / "solution.py", probe, LIMITS)
    return run_check(function, Local(solution, probe, LIMITS), reference, seed=SEED, device="cpu", limits=LIMITS)


def _declared(name: str) -> object:
    """Pytest wants each parameter of a check declared; `run_check` gives the values."""

    def declared() -> None: ...

    declared.__name__ = name
    return pytest.fixture(name=name)(declared)


globals().update(
    {name: _declared(name) for name in ("learner", "reference", "rng", "seed", "device", "figure", "evidence")}
)


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    outcome = run_beside(pyfuncitem.function, pyfuncitem.path.parent, Path(os.environ["BENCH_SOLUTION"]))
    assert outcome.status == Status.PASSED, str(outcome.message)
    return True
