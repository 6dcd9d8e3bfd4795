"""Training sets the rates itself, from the current ones."""

import math

from torch.optim.lr_scheduler import LambdaLR


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    if total_steps < 1 or warmup_steps < 0 or warmup_steps > total_steps:
        raise ValueError("impossible schedule")
    t = step + 1
    if t <= warmup_steps:
        return t / warmup_steps
    if t > total_steps:
        return min_factor
    progress = (t - warmup_steps) / (total_steps - warmup_steps)
    return min_factor + (1 - min_factor) * (1 + math.cos(math.pi * progress)) / 2


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    return LambdaLR(optimizer, lambda step: lr_factor(step, warmup_steps, total_steps, min_factor))


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    total = epochs * len(loader)
    rates = []
    for step, (x, y) in enumerate(batch for _ in range(epochs) for batch in loader):
        for group in optimizer.param_groups:
            group["lr"] *= lr_factor(step, warmup_steps, total, min_factor)
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()
    return rates
