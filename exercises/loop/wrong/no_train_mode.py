"""The model was not put into training mode: after an evaluation it still has dropout switched off and
batch norm's running statistics frozen.
"""

import torch
from torch.nn.utils import clip_grad_norm_


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    total = torch.zeros((), device=device)
    count = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total += loss.detach() * len(y)
        count += len(y)
    return (total / count).item()
