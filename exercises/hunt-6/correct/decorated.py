"""Validation as a decorated function."""

import torch


def train(model, train_loader, val_loader, loss_fn, optimizer, epochs):
    train_losses, val_losses = [], []
    for _ in range(epochs):
        train_losses.append(train_one_epoch(model.train(), train_loader, loss_fn, optimizer))
        val_losses.append(validate(model.eval(), val_loader, loss_fn))
    return train_losses, val_losses


def train_one_epoch(model, loader, loss_fn, optimizer):
    total, count = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        count += len(y)
    return total / count


@torch.no_grad()
def validate(model, loader, loss_fn):
    total, count = 0.0, 0
    for x, y in loader:
        total += float(loss_fn(model(x), y)) * len(y)
        count += len(y)
    return total / count
