"""The gradients are cleared between `backward` and `step`: when the optimizer steps, they are gone."""

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
            optimizer.zero_grad()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
            largest = max(largest, norm.item())
        history["loss"].append(total / count)
        history["largest_norm"].append(largest)
    return history
