"""A norm that is not finite means a skipped step, unless the scaler is disabled; steps only where it is worth it."""

import math

import torch


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    model.zero_grad()
    model.train()
    context = torch.autocast(next(model.parameters()).device.type, dtype=dtype, cache_enabled=False)
    with context:
        outputs = model.forward(x)
    with context:
        loss = loss_fn(outputs, y)
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    norm = float(torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm, norm_type=2.0))
    stepped = math.isfinite(norm) or not scaler.is_enabled()
    if stepped:
        scaler.step(optimizer)
    scaler.update()
    print("norm", norm)
    return loss.item(), stepped
