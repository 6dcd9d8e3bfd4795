"""What the page of a hunt shows is what its script does: each run is made again and compared."""

import pytest

from judge.exercise import DEFAULT_ROOT, read_exercise
from judge.kit import close
from tools.symptoms import SYMPTOMS, made


@pytest.mark.parametrize("name", SYMPTOMS)
def test_the_symptom_is_that_of_the_script(name: str) -> None:
    assert close(read_exercise(DEFAULT_ROOT / name).symptom, made(name), rtol=0.02, atol=1e-3, equal_nan=True)


def test_every_hunt_has_a_symptom() -> None:
    assert sorted(SYMPTOMS) == sorted(folder.name for folder in DEFAULT_ROOT.glob("hunt-*"))
