"""Compares the norm with an `if`: that reads it, for every batch."""

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
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        norm = torch.cat([g.flatten() for g in gradients]).norm()
        if norm > max_norm:
            for g in gradients:
                g *= max_norm / norm
        optimizer.step()
        total += loss.detach() * len(y)
        count += len(y)
    return (total / count).item()
