"""The crib sheet's numbers are what making the mistakes again gives, and they show what the sheet says they show."""

import json
import subprocess
import sys

import pytest

from chapter.failures import Facts
from chapter.read import ROOT, load_measured

RELATIVE, ABSOLUTE = 0.15, 0.02  # trainings of a few hundred steps differ in the second digit between processors


@pytest.fixture(scope="module")
def again() -> dict[str, Facts]:
    """Measured in a process of its own: workers are forked there, and a test may have used threads in this one."""
    done = subprocess.run(
        [sys.executable, "-m", "chapter.measure", "--print"],
        cwd=ROOT.parent,
        capture_output=True,
        check=True,
        timeout=240,
    )
    facts: dict[str, Facts] = json.loads(done.stdout)
    return facts


def leaves(value: object, path: str = "") -> dict[str, object]:
    """All single values of nested data, by their paths."""
    if isinstance(value, dict):
        return {at: leaf for key, item in value.items() for at, leaf in leaves(item, f"{path}.{key}").items()}
    if isinstance(value, list):
        return {at: leaf for i, item in enumerate(value) for at, leaf in leaves(item, f"{path}.{i}").items()}
    return {path: value}


def test_measuring_again_gives_the_numbers_of_the_page(again: dict[str, Facts]) -> None:
    written = {name: facts for name, facts in load_measured().items() if name != "orders"}
    expected, got = leaves(written), leaves(again)
    assert got.keys() == expected.keys()
    for path, value in expected.items():
        if isinstance(value, float):
            assert got[path] == pytest.approx(value, rel=RELATIVE, abs=ABSOLUTE), path
        else:
            assert got[path] == value, path


@pytest.mark.parametrize(
    "name",
    [
        "no_zero_grad",
        "zero_before_step",
        "softmax_before_loss",
        "broadcast_loss",
        "replaced_head",
        "clip_before_unscale",
        "aliased_state",
        "no_shuffle",
    ],
)
def test_the_mistake_ends_with_a_clearly_higher_loss(again: dict[str, Facts], name: str) -> None:
    right, wrong = again[name]["right"], again[name]["wrong"]
    assert isinstance(right, float)
    assert isinstance(wrong, float)
    assert wrong > 1.2 * right


def test_what_the_sheet_calls_exact_is_exact(again: dict[str, Facts]) -> None:
    assert again["zero_before_step"]["wrong_moved"] == 0.0
    assert again["clip_after_step"]["same_as_unclipped"] is True
    assert again["clip_before_backward"]["wrong_norm"] == 0.0
    assert again["half_after_optimizer"]["same_objects"] is True
    assert again["no_no_grad"]["one_batch_kib"] == again["no_no_grad"]["ten_batches_kib"]
    assert again["logs_the_tensor"]["held_after_backward_kib"] == 0.0
    assert again["resume_without_optimizer"]["right_same"] is True
    assert again["pinning_without_workers"]["pinned"] == again["pinning_without_workers"]["batches"]
