"""Clears before the forward pass, through the model."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    history = []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in loader:
            model.zero_grad()
            outputs = model(x)
            loss = loss_fn(outputs, y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    return history
