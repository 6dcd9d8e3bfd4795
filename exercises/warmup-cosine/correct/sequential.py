"""The library's schedulers in sequence. The cosine runs over the factor between peak and floor, for
each group alone.
"""

import math

from torch.optim.lr_scheduler import ConstantLR, LambdaLR, LinearLR, SequentialLR


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
    parts, milestones = [], []
    if warmup_steps > 1:
        parts.append(LinearLR(optimizer, start_factor=1 / warmup_steps, end_factor=1.0, total_iters=warmup_steps - 1))
        milestones.append(warmup_steps)
    elif warmup_steps == 1:
        parts.append(ConstantLR(optimizer, factor=1.0, total_iters=1))
        milestones.append(1)
    length = total_steps - warmup_steps
    if length:
        parts.append(
            LambdaLR(
                optimizer,
                lambda step: min_factor + (1 - min_factor) * (1 + math.cos(math.pi * (step + 1) / length)) / 2,
            )
        )
        milestones.append(total_steps)
    parts.append(LambdaLR(optimizer, lambda step: min_factor))
    return SequentialLR(optimizer, parts, milestones)


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    scheduler = make_scheduler(optimizer, warmup_steps, epochs * len(loader), min_factor)
    rates = []
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
    return rates
