"""islice takes each window; gradients cleared to zeros before it and after it."""

import itertools

import torch


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    batches = iter(loader)
    updates = 0
    while window := list(itertools.islice(batches, accum_steps)):
        model.zero_grad(set_to_none=False)
        num_samples = float(sum(y.shape[0] for x, y in window))
        for x, y in window:
            weight = y.shape[0] / num_samples
            loss_fn(model(x), y).mul(weight).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
        optimizer.step()
        model.zero_grad(set_to_none=False)
        updates += 1
    return updates
