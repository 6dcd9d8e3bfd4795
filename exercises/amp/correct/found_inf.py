"""Asks the scaler what it found; clears the gradients after the step; backward runs under autocast too."""

import torch


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    with torch.autocast(device_type=x.device.type, dtype=dtype):
        loss = loss_fn(model(x), y)
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    found = scaler._found_inf_per_device(optimizer) if scaler.is_enabled() else {}
    skipped = any(value.item() for value in found.values())
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return float(loss), not skipped
