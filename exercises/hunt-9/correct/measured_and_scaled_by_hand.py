"""Measures the true norm and shortens by hand."""

import torch


def train(model, loader, loss_fn, optimizer, scaler, epochs, max_norm=1.0, dtype=torch.bfloat16):
    device_type = next(model.parameters()).device.type
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            with torch.autocast(device_type, dtype=dtype):
                outputs = model(x)
                loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            gradients = [p.grad for p in model.parameters() if p.grad is not None]
            norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
            if norm > max_norm:
                torch._foreach_mul_(gradients, (max_norm / norm).item())
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
