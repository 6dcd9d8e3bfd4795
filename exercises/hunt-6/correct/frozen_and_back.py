"""Freezes the parameters for validation and gives each its flag back."""

import torch


def train(model, train_loader, val_loader, loss_fn, optimizer, epochs):
    train_losses, val_losses = [], []
    for _ in range(epochs):
        model.train()
        losses, count = [], 0
        for x, y in train_loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach() * len(y))
            count += len(y)
        train_losses.append(torch.stack(losses).sum().item() / count)
        model.eval()
        losses, count = [], 0
        flags = [parameter.requires_grad for parameter in model.parameters()]
        model.requires_grad_(False)
        for x, y in val_loader:
            losses.append(loss_fn(model(x), y) * len(y))
            count += len(y)
        for parameter, flag in zip(model.parameters(), flags):
            parameter.requires_grad_(flag)
        val_losses.append(torch.stack(losses).sum().item() / count)
    return train_losses, val_losses
