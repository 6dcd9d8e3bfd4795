"""The gradient of each batch is clipped for itself, then they are averaged by samples."""

import torch
from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    parameters = [p for p in model.parameters() if p.requires_grad]
    updates = 0
    for window in windows(loader, accum_steps):
        total = sum(len(y) for _, y in window)
        sums = [torch.zeros_like(p) for p in parameters]
        for x, y in window:
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            clip_grad_norm_(parameters, max_norm)
            for s, p in zip(sums, parameters):
                s += p.grad * len(y) / total
        for s, p in zip(sums, parameters):
            p.grad = s
        optimizer.step()
        optimizer.zero_grad()
        updates += 1
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
