"""The history has the norm of each epoch's last batch, not the largest."""

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
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()
            total += loss.item() * len(y)
            count += len(y)
            largest = norm.item()
        history["loss"].append(total / count)
        history["largest_norm"].append(largest)
    return history
