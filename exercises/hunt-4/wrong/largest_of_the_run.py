"""The largest norm is not begun anew in each epoch: the history has the largest of the run so far."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    history = {"loss": [], "largest_norm": []}
    largest = 0.0
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()
            total += loss.item() * len(y)
            count += len(y)
            largest = max(largest, norm.item())
        history["loss"].append(total / count)
        history["largest_norm"].append(largest)
    return history
