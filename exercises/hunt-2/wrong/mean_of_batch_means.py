"""The batches' mean losses are averaged as if all batches had the same size: the samples of a small last batch
count more than the others.
"""

import torch


def train(model, train_loader, val_loader, loss_fn, optimizer, epochs):
    train_losses, val_losses = [], []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in train_loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            count += 1
        train_losses.append(total / count)
        model.eval()
        total, count = 0.0, 0
        with torch.no_grad():
            for x, y in val_loader:
                total += loss_fn(model(x), y).item()
                count += 1
        val_losses.append(total / count)
    return train_losses, val_losses
