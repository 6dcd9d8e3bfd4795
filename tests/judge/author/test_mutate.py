"""The score of a suite, its survivors and equivalents."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.author.equivalent import FILE, as_entry
from judge.author.judging import Judging
from judge.author.mutate import NotPassing, Score, mutate
from judge.author.scores import write_score
from judge.exercise import read_exercise


def scored(folder: Path, judging: Judging, seeds: tuple[int, ...] = (1,)) -> Score:
    return mutate(read_exercise(folder), judging, list(seeds), lambda *_: None)


def edit(path: Path, old: str, new: str) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def explained(score: Score) -> str:
    return "".join(as_entry(mutant).replace('reason = ""', 'reason = "Why not."') for mutant in score.survivors)


def test_a_strict_suite(good: Path, judging: Judging) -> None:
    score = scored(good, judging, seeds=(1, 2))
    assert score.survivors == []
    assert score.killed == score.mutants > 10
    assert (score.score, score.good) == (1.0, True)
    assert (score.exercise, score.checks, score.mistakes, score.correct) == ("standard-columns", 2, 2, 1)


def test_survivors_and_equivalents(good: Path, judging: Judging) -> None:
    edit(
        good / "test_hidden.py",
        'got["answer"],\n        expected["answer"],',
        'got["answer"] > 0,\n        expected["answer"] > 0,',
    )
    weak = scored(good, judging)
    assert weak.survivors
    assert weak.killed + len(weak.survivors) == weak.mutants
    assert not weak.good
    (good / FILE).write_text(explained(weak))
    listed = scored(good, judging)
    assert (listed.survivors, listed.equivalent, listed.score) == ([], len(weak.survivors), 1.0)
    assert listed.good

    edit(
        good / "test_hidden.py",
        'got["answer"] > 0,\n        expected["answer"] > 0,',
        'got["answer"],\n        expected["answer"],',
    )
    strict = scored(good, judging)
    assert (strict.score, strict.equivalent, strict.good) == (1.0, 0, False)
    assert {finding.file for finding in strict.findings} == {FILE}
    assert all("the suite stops this mutant" in finding.cause for finding in strict.findings)


def test_mutants_that_never_end_are_stopped(good: Path, judging: Judging) -> None:
    """`count += 1` dropped, or its comparison turned around: processor time ends it."""
    (good / "solution.py").write_text(
        "def standard_columns(x):\n"
        "    count = 0\n"
        "    while count != 3:\n"
        "        count += 1\n"
        "    return (x - x.mean(dim=0)) / x.std(dim=0, correction=0)\n"
    )
    score = scored(good, judging)
    survivors = {mutant.change for mutant in score.survivors}
    endless = {("-        count += 1", "+        pass"), ("-        count += 1", "+        count -= 1")}
    assert survivors
    assert not survivors & endless


def test_a_reference_that_does_not_pass(good: Path, judging: Judging) -> None:
    edit(good / "solution.py", "return (x", "return [x][1] + (x")
    with pytest.raises(NotPassing):
        scored(good, judging)


def test_the_table_of_scores(tmp_path: Path) -> None:
    for id, number, killed in (("later", 12, 199), ("early", 3, 200), ("later", 12, 198)):
        (tmp_path / id).mkdir(exist_ok=True)
        path = write_score(
            Score(id, number, checks=7, mistakes=5, correct=4, mutants=203, killed=killed, equivalent=3), tmp_path
        )
    rows = [line for line in path.read_text().splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert rows == [
        "| 3 | early | 7 | 5 | 4 | 203 | 200 | 3 | 100 % |",
        "| 12 | later | 7 | 5 | 4 | 203 | 198 | 3 | 99 % |",
    ]
    (tmp_path / "early").rmdir()
    write_score(Score("later", 12, checks=7, mistakes=5, correct=4, mutants=203, killed=199, equivalent=3), tmp_path)
    assert "early" not in path.read_text()
    assert "99.5 %" in path.read_text()
