"""Our own programs as subjects: they answer as a box would."""

from __future__ import annotations

import random
from pathlib import Path

import numpy
import pytest
import torch

from judge.examiner.subject import Local, Remembered
from judge.limits import Limits
from judge.sandbox import client
from judge.wire import Opaque

PROBE = "def call(solution, name, **arguments):\n    return getattr(solution, name)(**arguments)\n"


def local(tmp_path: Path, source: str) -> Local:
    (tmp_path / "program.py").write_text(source)
    return Local(tmp_path / "program.py", PROBE, Limits(wall_s=0.3))


def test_answers_pass_through_the_encoding_of_the_wire(tmp_path: Path) -> None:
    subject = local(tmp_path, "def f():\n    return f\n\ndef g():\n    return type('F', (float,), {})(1.5)\n")
    assert isinstance(subject.call("call", {"name": "f"}), Opaque)
    assert type(subject.call("call", {"name": "g"})) is float


def test_errors_and_hanging_are_as_in_a_box(tmp_path: Path) -> None:
    subject = local(tmp_path, "def f():\n    raise KeyError('k')\n\ndef g():\n    while True: pass\n")
    with pytest.raises(client.Raised) as caught:
        subject.call("call", {"name": "f"})
    assert (caught.value.types[0], caught.value.text) == ("KeyError", "'k'")
    assert caught.value.traceback == "solution.py, line 2, in f\n    raise KeyError('k')"
    with pytest.raises(client.WallTimeout):
        subject.call("call", {"name": "g"})


def test_random_state_is_left_as_it_was(tmp_path: Path) -> None:
    source = "import random, numpy, torch\n\ndef f():\n    random.seed(1), numpy.random.seed(1), torch.manual_seed(1)\n"
    subject = local(tmp_path, source)
    random.seed(7), numpy.random.seed(7), torch.manual_seed(7)
    expected = random.random(), numpy.random.random(), torch.rand(())
    random.seed(7), numpy.random.seed(7), torch.manual_seed(7)
    subject.call("call", {"name": "f"})
    assert (random.random(), numpy.random.random(), torch.rand(())) == expected


def test_a_restart_loads_the_program_afresh(tmp_path: Path) -> None:
    subject = local(tmp_path, "calls = []\n\ndef f():\n    calls.append(1)\n    return len(calls)\n")
    assert [subject.call("call", {"name": "f"}) for _ in range(2)] == [1, 2]
    subject.restart()
    assert subject.call("call", {"name": "f"}) == 1


def test_what_was_asked_before_is_remembered(tmp_path: Path) -> None:
    subject = Remembered(local(tmp_path, "calls = []\n\ndef f(x):\n    calls.append(1)\n    return calls\n"))
    x = torch.tensor([1.0])
    first = subject.call("call", {"name": "f", "x": x})
    assert first == [1]
    assert isinstance(first, list)
    first.append("changed")
    assert subject.call("call", {"name": "f", "x": x.clone()}) == [1]
    assert subject.call("call", {"name": "f", "x": x + 1}) == [1, 1]
