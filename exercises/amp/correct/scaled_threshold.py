"""Clips the scaled gradients to a scaled threshold, which is the same; the loss is divided by the scale again."""

from typing import NamedTuple

import torch


class Step(NamedTuple):
    loss: float
    stepped: bool


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(y.device.type, dtype=dtype):
        scaled = scaler.scale(loss_fn(model(x), y))
    scaled.backward()
    scale = scaler.get_scale()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm * scale)
    scaler.step(optimizer)
    scaler.update()
    return Step(scaled.item() / scale, not scaler.get_scale() < scale)
