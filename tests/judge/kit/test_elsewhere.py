"""Batches that say they are on another device must be moved, in any way torch knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from judge.kit.elsewhere import Elsewhere, on_offer

HERE = torch.device("cpu")

MOVES: dict[str, Callable[[Tensor], Tensor]] = {
    "to device": lambda t: t.to(HERE),
    "to keyword": lambda t: t.to(device=HERE, non_blocking=True),
    "to name": lambda t: t.to("cpu"),
    "to other": lambda t: t.to(torch.zeros(1)),
    "to device and dtype": lambda t: t.to(HERE, torch.float32),
    "type_as": lambda t: t.type_as(torch.zeros(1)),
    "as_tensor": lambda t: torch.as_tensor(t, device=HERE),
    "copied": lambda t: torch.empty(t.shape).copy_(t),
    "after work": lambda t: (t.detach().clone() + 0).to(HERE),
    "only if needed": lambda t: t if t.device == HERE else t.to(HERE),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES.keys())
def test_moved_tensors_are_ordinary(move: Callable[[Tensor], Tensor]) -> None:
    x = torch.ones(2, 3)
    with Elsewhere([(x,)]):
        moved = move(x)
        assert moved.device == HERE
        assert nn.Linear(3, 1)(moved).shape == (2, 1)
        moved.zero_()
    assert x.sum() == 6


@pytest.mark.parametrize("stay", [lambda t: t, lambda t: t * 2, lambda t: t.to(t.device), lambda t: t.T.T])
def test_tensors_that_stay_cannot_be_mixed(stay: Callable[[Tensor], Tensor]) -> None:
    x = torch.ones(2, 3)
    with Elsewhere([(x,)]):
        assert stay(x).device.type == "cuda"
        with pytest.raises(RuntimeError, match="same device"):
            nn.Linear(3, 1)(stay(x))


def test_sizes_and_the_end_of_it() -> None:
    x = torch.ones(2, 3)
    with Elsewhere([(x,)]):
        assert (len(x), x.shape[1], x.is_cuda, x.is_cpu) == (2, 3, True, False)
    assert nn.Linear(3, 1)(x).shape == (2, 1)


@pytest.mark.skipif(torch.backends.cuda.is_built(), reason="such a torch is not told that there is a device")
def test_what_is_on_offer_is_not_where_the_model_is() -> None:
    x, model = torch.ones(2, 3), nn.Linear(3, 1)
    with Elsewhere([(x,)]), on_offer():
        best = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        with pytest.raises(RuntimeError, match="same device"):
            model(x.to(best))
        optimizer = torch.optim.Adam(model.parameters())
        model(x.to(model.weight.device)).sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    assert not torch.cuda.is_available()
