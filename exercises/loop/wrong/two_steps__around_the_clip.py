"""Steps before the clip and after it."""

import torch
from torch.nn.utils import clip_grad_norm_


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    total = torch.zeros((), device=device)
    count = 0
    model.train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total += loss.detach() * len(y)
        count += len(y)
    return (total / count).item()
