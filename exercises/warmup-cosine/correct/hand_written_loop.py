"""Training sets the rates itself; the scheduler writes into the groups in its own `step`."""

import math

import torch
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


class Scheduler(LRScheduler):
    def __init__(self, optimizer, *plan):
        self.optimizer = optimizer
        self.plan = plan
        self.bases = [group.setdefault("initial_lr", group["lr"]) for group in optimizer.param_groups]
        self.updates = 0
        self._write()

    def _write(self):
        factor = lr_factor(self.updates, *self.plan)
        for base, group in zip(self.bases, self.optimizer.param_groups):
            group["lr"] = base * factor

    def step(self, epoch=None):
        self.updates += 1
        self._write()

    def get_last_lr(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        return {"updates": self.updates}

    def load_state_dict(self, state_dict):
        self.updates = state_dict["updates"]
        self._write()


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    return Scheduler(optimizer, warmup_steps, total_steps, min_factor)


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    bases = [group["lr"] for group in optimizer.param_groups]
    total = epochs * len(loader)
    parameters = [p for p in model.parameters() if p.requires_grad]
    rates = []
    for epoch in range(epochs):
        for index, (x, y) in enumerate(loader):
            factor = lr_factor(epoch * len(loader) + index, warmup_steps, total, min_factor)
            for group, base in zip(optimizer.param_groups, bases):
                group["lr"] = base * factor
            gradients = torch.autograd.grad(loss_fn(model(x), y), parameters)
            for parameter, gradient in zip(parameters, gradients):
                parameter.grad = gradient
            optimizer.step()
            rates.append(bases[0] * factor)
    optimizer.zero_grad()
    return rates
