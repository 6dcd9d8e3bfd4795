"""Looks whether any parameter moved; clears the gradients first, in place."""

import torch
from torch.nn.utils import clip_grad_norm_


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    optimizer.zero_grad(set_to_none=False)
    before = [p.detach().clone() for p in model.parameters()]
    with torch.amp.autocast(str(x.device).split(":")[0], dtype):
        outputs = model(x)
        loss = loss_fn(outputs, y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    clip_grad_norm_(model.parameters(), max_norm, foreach=False)
    scaler.step(optimizer)
    scaler.update()
    moved = any(not torch.equal(p, old) for p, old in zip(model.parameters(), before))
    return loss.detach().cpu().numpy().item(), moved
