"""Numbers that are subclasses of float; the cosine in single precision; `zero_grad` after the step."""

import math

import numpy as np
import torch
from torch.optim.lr_scheduler import LambdaLR


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    if total_steps < 1 or warmup_steps < 0 or warmup_steps > total_steps:
        raise ValueError("impossible schedule")
    t = step + 1
    if t > total_steps:
        return np.float64(min_factor)
    if t <= warmup_steps:
        return np.float64(t) / warmup_steps
    progress = torch.tensor((t - warmup_steps) / (total_steps - warmup_steps))
    return min_factor + (1 - min_factor) * float(1 + torch.cos(math.pi * progress)) / 2


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    return LambdaLR(optimizer, lambda step: lr_factor(step, warmup_steps, total_steps, min_factor))


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    model.train()
    scheduler = make_scheduler(optimizer, warmup_steps, len(loader) * epochs, min_factor)
    used = np.zeros(len(loader) * epochs)
    step = 0
    for _ in range(epochs):
        for batch in loader:
            x, y = batch
            loss_fn(model(x), y).backward()
            used[step] = optimizer.param_groups[0]["lr"]
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)
            scheduler.step()
            step += 1
    return list(used)
