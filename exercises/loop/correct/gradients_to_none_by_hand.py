"""Gradients are set to None by hand; the clipping factor comes from torch.where."""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    parameters = [p for p in model.parameters()]
    device = parameters[0].device
    model.train()
    total, n = torch.zeros((), device=device), 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        output = model(x)
        for p in parameters:
            p.grad = None
        loss = loss_fn(output, y)
        torch.autograd.backward(loss)
        flat = torch.cat([p.grad.reshape(-1) for p in parameters if p.grad is not None])
        norm = flat.norm(2)
        scale = torch.where(norm > max_norm, max_norm / norm, torch.ones_like(norm))
        for p in parameters:
            if p.grad is not None:
                p.grad = p.grad * scale
        optimizer.step()
        total = total + loss.detach() * y.shape[0]
        n = n + y.shape[0]
    return float(total) / n
