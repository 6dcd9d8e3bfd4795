"""A callable instance with a table of all factors; positional and named arguments mixed."""

import math

from torch.optim.lr_scheduler import LambdaLR


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    if total_steps < 1 or warmup_steps < 0 or warmup_steps > total_steps:
        raise ValueError("impossible schedule")
    number = 1 + step
    if number > total_steps:
        return float(min_factor)
    if number <= warmup_steps:
        return number * (1.0 / warmup_steps)
    angle = math.pi * (number - warmup_steps) / (total_steps - warmup_steps)
    return min_factor + (1 - min_factor) * math.cos(angle / 2) ** 2


class Table:
    def __init__(self, warmup_steps, total_steps, min_factor):
        self.factors = [lr_factor(step, warmup_steps, total_steps, min_factor) for step in range(total_steps + 1)]

    def __call__(self, step):
        return self.factors[min(step, len(self.factors) - 1)]


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    table = Table(warmup_steps, total_steps, min_factor)
    return LambdaLR(optimizer, [table for _ in optimizer.param_groups])


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    scheduler = make_scheduler(optimizer, warmup_steps, total_steps=len(loader) * epochs, min_factor=min_factor)
    history = []
    epoch = 0
    while epoch < epochs:
        for x, y in loader:

            def closure():
                optimizer.zero_grad()
                loss = loss_fn(model(x), y)
                loss.backward()
                return loss

            history += [group["lr"] for group in optimizer.param_groups[:1]]
            optimizer.step(closure)
            scheduler.step()
        epoch += 1
    print(f"trained for {len(history)} updates")
    return history
