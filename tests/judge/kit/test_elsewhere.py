"""Batches that say they are on another device must be moved, in any way torch knows, whichever of the two it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from judge.kit.elsewhere import CPU, CUDA, Elsewhere

MOVES: dict[str, Callable[[Tensor, torch.device], Tensor]] = {
    "to device": lambda t, here: t.to(here),
    "to keyword": lambda t, here: t.to(device=here, non_blocking=True),
    "to name": lambda t, here: t.to(str(here)),
    "to type": lambda t, here: t.to(here.type),
    "to other": lambda t, here: t.to(torch.zeros(1)),
    "to device and dtype": lambda t, here: t.to(here, torch.float64).to(torch.float32),
    "type_as": lambda t, here: t.type_as(torch.zeros(1)),
    "cpu or cuda": lambda t, here: t.cpu() if here == CPU else t.cuda(),
    "as_tensor": lambda t, here: torch.as_tensor(t, device=here),
    "copied": lambda t, here: torch.empty(t.shape, device=here).copy_(t),
    "after work": lambda t, here: (t.detach().clone() + 0).to(here),
    "only if needed": lambda t, here: t if t.device == here else t.to(here),
    "there and back": lambda t, here: t.to(here).to(t.device).to(here),
}
STAYS: dict[str, Callable[[Tensor], Tensor]] = {
    "as it is": lambda t: t,
    "after work": lambda t: t * 2,
    "moved to where it is": lambda t: t.to(t.device),
    "turned": lambda t: t.T.T,
    "another dtype": lambda t: t.to(t.device, torch.float64).float(),
}


@pytest.mark.parametrize("here", [CPU, CUDA])
@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES.keys())
def test_moved_tensors_are_ordinary(move: Callable[[Tensor, torch.device], Tensor], here: torch.device) -> None:
    x, model = torch.ones(2, 3), nn.Linear(3, 1)
    with Elsewhere([(x,)], here) as devices:
        moved = move(x, here)
        assert moved.device == model.weight.device == here
        assert model(moved).shape == (2, 1)
        moved.zero_()
    assert not devices.mixed
    assert x.sum() == 6


@pytest.mark.parametrize("here", [CPU, CUDA])
@pytest.mark.parametrize("stay", STAYS.values(), ids=STAYS.keys())
def test_tensors_that_stay_cannot_be_mixed(stay: Callable[[Tensor], Tensor], here: torch.device) -> None:
    x = torch.ones(2, 3)
    with Elsewhere([(x,)], here) as devices:
        assert {stay(x).device, here} == {CPU, CUDA}
        with pytest.raises(RuntimeError, match="same device"):
            nn.Linear(3, 1)(stay(x))
    assert devices.mixed


def test_sizes_and_the_end_of_it() -> None:
    x, model = torch.ones(2, 3), nn.Linear(3, 1)
    with Elsewhere([(x,)]):
        assert (len(x), x.shape[1], x.is_cuda, x.is_cpu) == (2, 3, True, False)
    with Elsewhere([(x,)], here=CUDA):
        assert (x.is_cuda, x.is_cpu, model.weight.is_cuda, model.weight.is_cpu) == (False, True, True, False)
    assert model(x).shape == (2, 1)


@pytest.mark.parametrize("here", [CPU, CUDA])
@pytest.mark.parametrize("make", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW])
def test_whoever_moves_the_batch_can_train(make: type[torch.optim.Optimizer], here: torch.device) -> None:
    x, model = torch.ones(2, 3), nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.Linear(4, 1))
    optimizer = make(model.parameters(), lr=0.1)
    with Elsewhere([(x,)], here) as devices:
        total = torch.zeros((), device=here)
        for _ in range(2):
            loss = model(x.to(next(model.parameters()).device)).sum()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.detach()
    assert not devices.mixed
