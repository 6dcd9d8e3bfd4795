"""Whenever the norm is finite, as the scaler would."""

import torch


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    device_type = next(model.parameters()).device.type
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if norm.isfinite() or not scaler.is_enabled():
        optimizer.step()
    scale = scaler.get_scale()
    scaler.update()
    stepped = scaler.get_scale() >= scale
    return loss.item(), stepped
