"""Measures the norm and scales by hand."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            loss.backward()
            gradients = [p.grad for p in model.parameters() if p.grad is not None]
            norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
            if norm > max_norm:
                for gradient in gradients:
                    gradient *= max_norm / norm
            optimizer.step()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
