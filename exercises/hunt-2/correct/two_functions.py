"""Training and validation as functions, each with its own mode."""

import torch


def train(model, train_loader, val_loader, loss_fn, optimizer, epochs):
    history = [
        (one_pass(model, train_loader, loss_fn, optimizer), one_pass(model, val_loader, loss_fn)) for _ in range(epochs)
    ]
    train_losses, val_losses = map(list, zip(*history)) if history else ([], [])
    return train_losses, val_losses


def one_pass(model, loader, loss_fn, optimizer=None):
    model.train(optimizer is not None)
    losses, count = 0.0, 0
    for x, y in loader:
        with torch.set_grad_enabled(optimizer is not None):
            loss = loss_fn(model(x), y)
        if optimizer is not None:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        losses += loss.item() * y.shape[0]
        count += y.shape[0]
    return losses / count
