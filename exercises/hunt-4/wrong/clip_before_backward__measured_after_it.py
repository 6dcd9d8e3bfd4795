"""Clips before `backward`, and measures the true norm after it."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    history = {"loss": [], "largest_norm": []}
    for _ in range(epochs):
        model.train()
        total, count, largest = 0.0, 0, 0.0
        for x, y in loader:
            optimizer.zero_grad()
            outputs = model(x)
            loss = loss_fn(outputs, y)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            loss.backward()
            norms = [p.grad.norm() for p in model.parameters() if p.grad is not None]
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
            largest = max(largest, torch.linalg.vector_norm(torch.stack(norms)).item())
        history["loss"].append(total / count)
        history["largest_norm"].append(largest)
    return history
