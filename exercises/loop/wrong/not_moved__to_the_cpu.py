"""Moved to one device, wherever the model is."""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = torch.device("cpu")
    model.train()
    total, samples = 0.0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total = total + loss.detach() * len(y)
        samples += len(y)
    return (total / samples).item()
