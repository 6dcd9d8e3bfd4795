"""The random streams were seeded anew: whatever else draws from them, dropout or the shuffling of the
next epoch, repeats itself. Seed once, outside.
"""

import random

import torch
from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    torch.manual_seed(0)
    random.seed(0)
    updates = 0
    batches = list(loader)
    for start in range(0, len(batches), accum_steps):
        window = batches[start : start + accum_steps]
        total = sum(len(y) for _, y in window)
        for x, y in window:
            (loss_fn(model(x), y) * len(y) / total).backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        updates += 1
    return updates
