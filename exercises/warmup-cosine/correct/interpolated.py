"""numpy interpolates the warm-up; the factor is a chain of conditional expressions; no step after the
last update.
"""

import itertools
import math

import numpy as np
from torch.optim.lr_scheduler import LambdaLR


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    if not (total_steps >= 1 and 0 <= warmup_steps <= total_steps):
        raise ValueError(f"W = {warmup_steps}, S = {total_steps}")
    rise = float(np.interp(step + 1, [0, max(1, warmup_steps)], [0.0, 1.0]))
    left = total_steps - warmup_steps
    fall = min(max(step + 1 - warmup_steps, 0), left) / left if left else float(step >= total_steps)
    cosine = min_factor + (1 - min_factor) * (1 + math.cos(math.pi * fall)) / 2
    return rise if step < warmup_steps else cosine


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    return LambdaLR(optimizer, lambda step: lr_factor(step, warmup_steps, total_steps, min_factor))


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    total = epochs * len(loader)
    scheduler = make_scheduler(optimizer, warmup_steps, total, min_factor)
    rates = []
    for x, y in itertools.chain.from_iterable(loader for _ in range(epochs)):
        model.zero_grad()
        loss = loss_fn(model.forward(x), y)
        loss.backward()
        rates.append(scheduler.get_last_lr()[0])
        optimizer.step()
        if len(rates) < total:
            scheduler.step()
    return rates
