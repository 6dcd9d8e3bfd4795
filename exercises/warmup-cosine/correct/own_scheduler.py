"""A subclass of LRScheduler with a closed form of `get_lr`."""

import math

from torch.optim.lr_scheduler import LRScheduler


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


class WarmupCosine(LRScheduler):
    def __init__(self, optimizer, warmup_steps, total_steps, min_factor=0.0, last_epoch=-1):
        self.warmup_steps = warmup_steps
        self.total_steps = total_steps
        self.min_factor = min_factor
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factor = lr_factor(self.last_epoch, self.warmup_steps, self.total_steps, self.min_factor)
        return [base * factor for base in self.base_lrs]


make_scheduler = WarmupCosine


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    scheduler = make_scheduler(optimizer, warmup_steps, epochs * len(loader), min_factor)
    rates = []
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            rates.append(scheduler.get_last_lr()[0])
            optimizer.step()
            scheduler.step()
    return rates
