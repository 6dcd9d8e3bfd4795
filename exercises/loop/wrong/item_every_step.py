"""A number was read off the device for every batch (`.item()`, `float()`, an `if` on a tensor, a
print): each time, the program waits until the device has finished everything before it.
"""

import torch
from torch.nn.utils import clip_grad_norm_


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    total = 0.0
    count = 0
    model.train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total += loss.item() * len(y)
        count += len(y)
    return total / count
