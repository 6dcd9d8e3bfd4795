"""A partial as the function of LambdaLR; the closed form in one expression."""

import functools
import math

import torch


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    if total_steps < 1 or warmup_steps < 0 or warmup_steps > total_steps:
        raise ValueError("impossible schedule")
    t = step + 1
    if t <= warmup_steps:
        return t / warmup_steps
    done = 1.0 if t >= total_steps else (t - warmup_steps) / (total_steps - warmup_steps)
    return min_factor + 0.5 * (1.0 - min_factor) * (1.0 + math.cos(math.pi * done))


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    factor = functools.partial(lr_factor, warmup_steps=warmup_steps, total_steps=total_steps, min_factor=min_factor)
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=factor)


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
