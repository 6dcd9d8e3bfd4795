"""State that was not copied, or not saved."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from chapter.failures import Facts, curves, failure
from chapter.loop import adam, network, spiral


@failure
def aliased_state() -> Facts:
    """`best = model.state_dict()` without a copy: the best weights go on training with the model."""
    torch.manual_seed(0)
    x, val_x = torch.randn(24, 10), torch.randn(200, 10)
    slope = torch.randn(10)
    y, val_y = x @ slope + 2 * torch.randn(24), val_x @ slope
    model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses: list[float] = []
    kept: list[float] = []  # what the copied weights are worth after each epoch; the alias is worth what the model is
    alias: Mapping[str, Tensor] = {}
    copied: Mapping[str, Tensor] = {}

    def validate() -> float:
        with torch.no_grad():
            return float((model(val_x)[:, 0] - val_y).pow(2).mean())

    for _ in range(120):
        loss = (model(x)[:, 0] - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if not losses or validate() < min(losses):
            alias, copied = model.state_dict(), copy.deepcopy(model.state_dict())
        losses.append(validate())
        kept.append(min(losses))
    model.load_state_dict(alias)
    wrong = validate()
    model.load_state_dict(copied)
    return {
        "best": min(losses),
        "last": losses[-1],
        "wrong": wrong,
        "right": validate(),
        "series": curves(kept, losses),
    }


@failure
def resume_without_optimizer() -> Facts:
    """Only the weights are saved: Adam starts again with empty moments, and with steps as long as its first ones."""
    x, y = spiral()

    def run(stop_at: int | None, keep: bool) -> tuple[list[float], list[float]]:
        model = network()
        optimizer = adam(model)
        losses, steps = [], []
        for step in range(160):
            if step == stop_at:
                state = copy.deepcopy(optimizer.state_dict())
                optimizer = adam(model)
                if keep:
                    optimizer.load_state_dict(state)
            loss = nn.functional.cross_entropy(model(x), y)
            before = torch.cat([p.detach().flatten() for p in model.parameters()])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            steps.append(float((torch.cat([p.detach().flatten() for p in model.parameters()]) - before).norm()))
        return losses, steps

    never, right, wrong = run(None, True), run(100, True), run(100, False)
    return {
        "right_same": never == right,
        "loss_before": never[0][100],
        "right_worst": max(right[0][100:]),
        "wrong_worst": max(wrong[0][100:]),
        "right_step": right[1][100],
        "wrong_step": wrong[1][100],
        "series": curves(right[0][90:130], wrong[0][90:130], points=40),
    }


@failure
def resume_without_shuffle_state() -> Facts:
    """The loader's generator is not saved: after each stop the run sees the first epoch's order again."""
    data = TensorDataset(torch.arange(8))

    def orders(stop: bool) -> list[list[int]]:
        generator = torch.Generator().manual_seed(0)
        seen = []
        for _ in range(4):
            if stop:
                generator = torch.Generator().manual_seed(0)
            loader = DataLoader(data, batch_size=8, shuffle=True, generator=generator)
            seen.append([int(i) for (batch,) in loader for i in batch])
        return seen

    return {
        "right_orders": len({tuple(order) for order in orders(False)}),
        "wrong_orders": len({tuple(order) for order in orders(True)}),
    }
