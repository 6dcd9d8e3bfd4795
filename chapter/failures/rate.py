"""Schedules that step at another time than meant."""

from __future__ import annotations

import copy
import itertools

import torch
from torch import nn

from chapter.failures import Facts, curves, failure


@failure
def scheduler_in_batch_loop() -> Facts:
    """A schedule meant to step once an epoch steps once a batch: the cosine runs down, and up, again and again."""
    epochs, batches = 10, 7

    def run(every_batch: bool) -> list[float]:
        optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
        rates = []
        for _ in range(epochs):
            for _ in range(batches):
                rates.append(float(optimizer.param_groups[0]["lr"]))
                optimizer.step()
                if every_batch:
                    scheduler.step()
            if not every_batch:
                scheduler.step()
        return rates

    right, wrong = run(False), run(True)
    return {
        "right_last": right[-1],
        "wrong_last": wrong[-1],
        "wrong_epochs_to_zero": next(i for i, rate in enumerate(wrong) if rate < 1e-9) / batches,
        "wrong_rises": sum(b > a for a, b in itertools.pairwise(wrong)),
        "series": curves(right, wrong, points=70),
    }


@failure
def scheduler_made_after_loading() -> Facts:
    """Resume: a LambdaLR made after the optimizer's state was loaded sets the rate back to its start."""

    def parts() -> torch.optim.Optimizer:
        return torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.0)

    def schedule(optimizer: torch.optim.Optimizer) -> torch.optim.lr_scheduler.LambdaLR:
        return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 - epoch / 10)

    optimizer = parts()
    scheduler = schedule(optimizer)
    for _ in range(6):
        optimizer.step()
        scheduler.step()
    saved, saved_schedule = copy.deepcopy(optimizer.state_dict()), copy.deepcopy(scheduler.state_dict())

    right = parts()
    right_schedule = schedule(right)
    right.load_state_dict(saved)
    right_schedule.load_state_dict(saved_schedule)
    wrong = parts()
    wrong.load_state_dict(saved)
    schedule(wrong).load_state_dict(saved_schedule)
    return {
        "saved": float(optimizer.param_groups[0]["lr"]),
        "right": float(right.param_groups[0]["lr"]),
        "wrong": float(wrong.param_groups[0]["lr"]),
    }
