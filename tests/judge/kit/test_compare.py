from __future__ import annotations

import math

import pytest
import torch

from judge.kit import close
from judge.wire import Opaque

NAN, INF = math.nan, math.inf

SAME = [
    (None, None),
    (True, True),
    (3, 3),
    (3.0, 3),
    (3, 3.0),
    (1.0, 1.00005),
    (0.0, 1e-7),
    (-0.0, 0.0),
    (INF, INF),
    (2**60, 2**60),
    ("a", "a"),
    (b"a", b"a"),
    ([], []),
    ([1, 2.0], [1, 2.00001]),
    ((1, [2]), (1, [2])),
    ({"a": 1, 2: [3]}, {2: [3], "a": 1}),
    (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.00001])),
    (torch.tensor([1, 2]), torch.tensor([1, 2])),
    (torch.tensor([True]), torch.tensor([True])),
    (torch.tensor([1 + 1j]), torch.tensor([1 + 1.00001j])),
    (torch.zeros(0, 3), torch.zeros(0, 3)),
    ([torch.tensor([INF])], [torch.tensor([INF])]),
]

DIFFERENT = [
    (None, 0),
    (0, None),
    (True, 1),
    (1, True),
    (1.0, True),
    (False, 0.0),
    (3, 4),
    (2**60, 2**60 + 1),
    (1.0, 1.001),
    (0.0, 1e-3),
    (NAN, 1.0),
    (1.0, NAN),
    (NAN, NAN),
    (INF, -INF),
    (1e300, INF),
    (INF, 1e300),
    (1, "1"),
    ("a", "b"),
    ("a", b"a"),
    ([1], (1,)),
    ((1,), [1]),
    ([1], [1, 1]),
    ([1, 1], [1]),
    ([], None),
    ({"a": 1}, {"b": 1}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({1: 1}, {"1": 1}),
    ({"a": 1}, [("a", 1)]),
    (1.0, torch.tensor(1.0)),
    (torch.tensor(1.0), 1.0),
    ([1.0, 2.0], torch.tensor([1.0, 2.0])),
    (torch.tensor([1.0]), torch.tensor(1.0)),
    (torch.tensor([[1.0]]), torch.tensor([1.0])),
    (torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float64)),
    (torch.tensor([1]), torch.tensor([1], dtype=torch.int32)),
    (torch.tensor([1]), torch.tensor([True])),
    (torch.tensor([1.0]), torch.tensor([1.01])),
    (torch.tensor([1]), torch.tensor([2])),
    (torch.tensor([NAN]), torch.tensor([1.0])),
    (torch.tensor([1.0]), torch.tensor([NAN])),
    (torch.tensor([NAN, NAN]), torch.tensor([NAN, NAN])),
    (torch.zeros(0), torch.zeros(0, 3)),
    (Opaque("x"), Opaque("x")),
    (Opaque("x"), 1),
    (1, Opaque("x")),
]


@pytest.mark.parametrize(("got", "expected"), SAME, ids=repr)
def test_same(got: object, expected: object) -> None:
    assert close(got, expected)


@pytest.mark.parametrize(("got", "expected"), DIFFERENT, ids=repr)
def test_different(got: object, expected: object) -> None:
    assert not close(got, expected)


def test_opaque_equals_nothing_not_even_itself() -> None:
    opaque = Opaque("x")
    assert not close(opaque, opaque)
    assert not close([opaque], [opaque])


@pytest.mark.parametrize(
    ("got", "expected", "same"),
    [
        (NAN, NAN, True),
        (NAN, 1.0, False),
        (1.0, NAN, False),
        ([NAN, 1], [NAN, 1], True),
        (torch.tensor([NAN, 1.0]), torch.tensor([NAN, 1.0]), True),
        (torch.tensor([NAN, 1.0]), torch.tensor([1.0, NAN]), False),
    ],
)
def test_equal_nan_asks_for_nan_in_the_same_place(got: object, expected: object, same: bool) -> None:
    assert close(got, expected, equal_nan=True) is same


def test_tolerances_reach_what_is_nested() -> None:
    got, expected = {"a": [torch.tensor([1.0])]}, {"a": [torch.tensor([1.05])]}
    assert not close(got, expected)
    assert close(got, expected, rtol=0.1)
    assert close(got, expected, atol=0.1)
    assert not close(1.0, 1.00005, rtol=0.0, atol=1e-6)
