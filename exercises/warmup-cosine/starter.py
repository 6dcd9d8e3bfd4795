import math

import torch


def lr_factor(step, warmup_steps, total_steps, min_factor=0.0):
    """What the base rate is multiplied by for the update that comes after `step` updates."""
    return 1.0


def make_scheduler(optimizer, warmup_steps, total_steps, min_factor=0.0):
    """A torch scheduler that gives each parameter group its base rate times `lr_factor`."""
    ...


def train(model, loader, loss_fn, optimizer, epochs, warmup_steps, min_factor=0.0):
    """Train with this schedule; return the first group's rate used by each update."""
    return []
