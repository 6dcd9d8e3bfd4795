"""A straight line up, half a cosine down, and the floor from then on: one rate for each update."""

import math

from torch.optim.lr_scheduler import LambdaLR


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    if total_steps < 1 or not 0 <= warmup_steps <= total_steps:
        raise ValueError(f"{warmup_steps} warm-up updates do not fit into {total_steps} updates")
    update = step + 1  # the number of the update that is about to be made
    if update <= warmup_steps:
        return update / warmup_steps
    if update > total_steps:
        return min_factor
    progress = (update - warmup_steps) / (total_steps - warmup_steps)  # from 0 at the peak to 1 at the floor
    return min_factor + (1 - min_factor) * (1 + math.cos(math.pi * progress)) / 2


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    return LambdaLR(optimizer, lambda step: lr_factor(step, warmup_steps, total_steps, min_factor))


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    scheduler = make_scheduler(optimizer, warmup_steps, epochs * len(loader), min_factor)
    rates = []
    for _ in range(epochs):
        for x, y in loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            rates.append(optimizer.param_groups[0]["lr"])  # the rate that the next line uses
            optimizer.step()
            scheduler.step()
    return rates
