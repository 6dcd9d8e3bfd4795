"""Gradients of the wrong length: scaled, or added up."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from chapter.failures import Facts, curves, failure
from chapter.loop import OptimizerMaker, adam, momentum, network, spiral


def _scaled(right_order: bool, make: OptimizerMaker) -> list[float]:
    """Training through a gradient scaler, with clipping after or before the gradients are unscaled."""
    x, y = spiral()
    model = network()
    optimizer = make(model)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16)
    losses = []
    for _ in range(150):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        if right_order:
            scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


@failure
def clip_before_unscale() -> Facts:
    """Clipping the scaled gradients: after unscaling they are tens of thousands of times too short."""
    right, wrong = _scaled(True, momentum), _scaled(False, momentum)
    adam_right, adam_wrong = _scaled(True, adam), _scaled(False, adam)
    return {
        "first": right[0],
        "right": right[-1],
        "wrong": wrong[-1],
        "adam_right": adam_right[-1],
        "adam_wrong": adam_wrong[-1],
        "series": curves(right, wrong),
    }


@failure
def accumulate_unscaled() -> Facts:
    """Gradients of several batches are added without dividing; and dividing by their number is not enough either."""
    x, y = spiral()
    model = network()
    sizes = [64, 64, 2]
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))[: sum(sizes)]

    def gradient(weights: Sequence[float]) -> Tensor:
        model.zero_grad()
        for part, weight in zip(order.split(sizes), weights, strict=True):
            loss = nn.functional.cross_entropy(model(x[part]), y[part])
            (loss * weight).backward()
        return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])

    model.zero_grad()
    nn.functional.cross_entropy(model(x[order]), y[order]).backward()
    whole = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])

    def error(weights: Sequence[float]) -> float:
        return float((gradient(weights) - whole).norm() / whole.norm())

    return {
        "right_error": error([size / sum(sizes) for size in sizes]),
        "unscaled_ratio": float(gradient([1, 1, 1]).norm() / whole.norm()),
        "equal_weights_error": error([1 / 3] * 3),
    }
