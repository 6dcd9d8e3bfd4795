"""Clears after the step."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
