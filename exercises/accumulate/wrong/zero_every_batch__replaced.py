"""Each batch's gradient replaces the one before."""

import torch
from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    parameters = [p for p in model.parameters() if p.requires_grad]
    for window in windows(loader, accum_steps):
        total = sum(len(y) for _, y in window)
        optimizer.zero_grad()
        for x, y in window:
            loss = loss_fn(model(x), y) * len(y) / total
            for p, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
                p.grad = gradient
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        updates += 1
    optimizer.zero_grad()
    return updates


def windows(loader, size):
    window = []
    for batch in loader:
        window.append(batch)
        if len(window) == size:
            yield window
            window = []
    if window:
        yield window
