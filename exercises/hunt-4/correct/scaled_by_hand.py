"""Measures the norm and scales by hand."""

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
            gradients = [p.grad for p in model.parameters() if p.grad is not None]
            norm = torch.sqrt(sum((gradient**2).sum() for gradient in gradients))
            for gradient in gradients:
                gradient.mul_((max_norm / (norm + 1e-6)).clamp(max=1.0))
            optimizer.step()
            optimizer.zero_grad()
            total += loss.item() * len(y)
            count += len(y)
            largest = max(largest, norm.item())
        history["loss"].append(total / count)
        history["largest_norm"].append(largest)
    return history
