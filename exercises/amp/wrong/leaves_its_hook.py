"""A hook that was put on the optimizer stayed there: whoever steps with that optimizer afterwards is clipped too. Remove it
at the end of the call.
"""

import torch
from torch.nn.utils import clip_grad_norm_


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    def clip(*_):
        clip_grad_norm_(model.parameters(), max_norm)

    optimizer.register_step_pre_hook(clip)
    with torch.autocast(next(model.parameters()).device.type, dtype=dtype):
        loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    before = scaler.get_scale()
    scaler.update()
    return loss.item(), scaler.get_scale() >= before
