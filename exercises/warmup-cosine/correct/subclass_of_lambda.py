"""A subclass of LambdaLR; errors are a subclass of ValueError; the complex exponential for the cosine."""

import cmath

from torch.optim.lr_scheduler import LambdaLR


class ScheduleError(ValueError):
    pass


def _check(warmup, total):
    if total < 1:
        raise ScheduleError("no updates")
    if warmup not in range(total + 1):
        raise ScheduleError("the warm-up does not fit")


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    _check(warmup_steps, total_steps)
    step += 1
    if step <= warmup_steps:
        return step / warmup_steps
    if step > total_steps:
        return min_factor
    turn = cmath.exp(1j * cmath.pi * (step - warmup_steps) / (total_steps - warmup_steps))
    return (1 + min_factor) / 2 + (1 - min_factor) / 2 * turn.real


class WarmupCosineLR(LambdaLR):
    def __init__(self, optimizer, warmup_steps, total_steps, min_factor=0.0):
        self.arguments = {"warmup_steps": warmup_steps, "total_steps": total_steps, "min_factor": min_factor}
        super().__init__(optimizer, self.factor)

    def factor(self, step):
        return lr_factor(step, **self.arguments)


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    _check(warmup_steps, total_steps)
    return WarmupCosineLR(optimizer, warmup_steps, total_steps, min_factor)


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
