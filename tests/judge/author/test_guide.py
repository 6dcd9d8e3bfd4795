"""docs/adding-an-exercise.md, followed to the letter: it ends with a verified exercise."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from markdown_it import MarkdownIt

from judge.kit import expect_close

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "adding-an-exercise.md"


def test_the_guide_ends_with_a_verified_exercise(tmp_path: Path) -> None:
    (tmp_path / "judge.py").symlink_to(ROOT / "judge.py")
    (tmp_path / "exercises").mkdir()
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "FIVE_LINES_EXERCISES": "exercises",
    }
    printed = {}
    for token in MarkdownIt("commonmark").parse(GUIDE.read_text()):
        if token.type != "fence":
            continue
        language, _, file = token.info.partition(" ")
        if file:  # the block is the content of that file
            (tmp_path / file).write_text(token.content)
        elif language == "sh":
            quicker = token.content.replace("--seeds 20", "--seeds 3")
            done = subprocess.run(
                ["bash", "-ec", quicker],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{token.content}{done.stdout}{done.stderr}"
            printed[token.content.strip()] = done.stdout
    assert "judges as it stands" in printed["python judge.py new smooth-losses"]
    assert (
        "statement.en.md: it is still what `new` wrote"
        in printed["python judge.py verify smooth-losses --seeds 0 || true"]
    )
    assert "smooth-losses: clean" in printed["python judge.py verify smooth-losses --seeds 20"]
    assert "smooth-losses: 100 %" in printed["python judge.py mutate smooth-losses"]
    assert "| smooth-losses | 5 | 5 | 1 |" in (tmp_path / "exercises" / "SCORES.md").read_text()


def test_the_probe_that_trains_does(tmp_path: Path) -> None:
    tokens = MarkdownIt("commonmark").parse(GUIDE.read_text())
    blocks = [token.content for token in tokens if token.type == "fence" and token.info == "python"]
    written: dict[str, Any] = {"torch": torch, "nn": torch.nn, "expect_close": expect_close}
    for block in blocks:
        exec(block, written)
    solution = ModuleType("solution")
    exec((ROOT / "exercises" / "loop" / "solution.py").read_text(), solution.__dict__)

    class Right:
        def train(self, setup: dict[str, object]) -> dict[str, object]:
            trained: dict[str, object] = written["train"](solution, setup)
            return trained

    written["test_updates"](Right(), Right(), random.Random(1), 7, "cpu")
    setup = {"seed": 7, "device": "cpu", "lr": 0.1}
    assert Right().train(setup)["events"][:3] == ["train", "batch", "forward"]  # type: ignore[index]
