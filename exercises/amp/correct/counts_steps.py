"""Counts the optimizer's steps by standing in for its step meanwhile; switches autocast on by hand."""

import contextlib

import torch


@contextlib.contextmanager
def counting(optimizer):
    original, count = optimizer.step, []

    def step(*args, **kwargs):
        count.append(1)
        return original(*args, **kwargs)

    optimizer.step = step
    try:
        yield count
    finally:
        optimizer.step = original


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    kind = x.device.type
    before = torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind)
    torch.set_autocast_enabled(kind, True)
    torch.set_autocast_dtype(kind, dtype)
    try:
        loss = loss_fn(model(x), y)
    finally:
        torch.set_autocast_enabled(kind, before[0])
        torch.set_autocast_dtype(kind, before[1])
        torch.clear_autocast_cache()
    with counting(optimizer) as count:
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], max_norm)
        scaler.step(optimizer)
        scaler.update()
    return loss.item(), bool(count)
