"""A constant, a linear and a cosine scheduler of the library, whose floor is the same share of every
base rate.
"""

import math

from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, SequentialLR


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


class Cosine(CosineAnnealingLR):
    """The library's cosine with a floor for each group, and no way back up."""

    def __init__(self, optimizer, length, min_factor):
        self.min_factor = min_factor
        super().__init__(optimizer, T_max=length)

    def get_lr(self):
        return self._get_closed_form_lr()

    def _get_closed_form_lr(self):
        done = min(self.last_epoch + 1, self.T_max) / self.T_max
        share = (1 + math.cos(math.pi * done)) / 2
        return [base * (self.min_factor + (1 - self.min_factor) * share) for base in self.base_lrs]


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    if warmup_steps == 0:
        return Cosine(optimizer, total_steps, min_factor)
    ramp = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / warmup_steps))
    if warmup_steps == total_steps:
        floor = LambdaLR(optimizer, lambda step: min_factor)
        return SequentialLR(optimizer, [ramp, floor], milestones=[total_steps])
    cosine = Cosine(optimizer, total_steps - warmup_steps, min_factor)
    return SequentialLR(optimizer, schedulers=[ramp, cosine], milestones=[warmup_steps])


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
