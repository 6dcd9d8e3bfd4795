"""SCORES.md of a root of exercises: one row an exercise, written by `mutate`."""

from __future__ import annotations

import re
from pathlib import Path

from judge.author.mutate import Score

_HEAD = """\
# How good the hidden suites are

`python judge.py mutate` wrote this. A mutant is the reference with one small change: a statement dropped or swapped
with its neighbour, a comparison, constant, argument or operator exchanged, a keyword, `detach`, `no_grad` or decorator
lost. The score is the share of mutants that the suite stops. Some changes leave a right program: those are
*equivalent*, listed with the reason in the exercise's `equivalent.toml`, and do not count.

| | exercise | checks | mistakes | correct programs | mutants | killed | equivalent | score |
|---:|---|---:|---:|---:|---:|---:|---:|---:|
"""
_ROW = re.compile(r"^\| *(\d+) \| (\S+) \|.*\|$", re.MULTILINE)


def write_score(score: Score, root: Path) -> Path:
    """Put the exercise's row into the table, in course order."""
    path = root / "SCORES.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    rows = {match[2]: (int(match[1]), match[0]) for match in _ROW.finditer(text)}
    rows[score.exercise] = (score.number, _row(score))
    present = [row for id, row in rows.items() if (root / id).is_dir()]
    path.write_text(_HEAD + "".join(f"{row}\n" for _, row in sorted(present)), encoding="utf-8")
    return path


def _row(score: Score) -> str:
    cells = [score.checks, score.mistakes, score.correct, score.mutants, score.killed, score.equivalent]
    numbers = " | ".join(map(str, cells))
    return f"| {score.number} | {score.exercise} | {numbers} | {percent(score.score)} |"


def percent(share: float) -> str:
    """Rounded down: 100 % is said of nothing less."""
    return f"{int(share * 1000) / 10:g} %"
