"""A scheduler that counts for itself and saves nothing."""

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


class Forgetful(LRScheduler):
    def __init__(self, optimizer, *plan):
        self.optimizer = optimizer
        self.plan = plan
        self.bases = [group["lr"] for group in optimizer.param_groups]
        self.made = 0
        self.write()

    def write(self):
        for group, base in zip(self.optimizer.param_groups, self.bases):
            group["lr"] = base * lr_factor(self.made, *self.plan)

    def step(self, epoch=None):
        self.made += 1
        self.write()

    def get_last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    return Forgetful(optimizer, warmup_steps, total_steps, min_factor)


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
