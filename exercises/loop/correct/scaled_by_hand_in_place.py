"""Clips by dividing all gradients by max(norm / max_norm, 1), and clears them in place by hand after the step."""

import torch


@torch.no_grad()
def shorten(gradients, max_norm):
    squares = torch.stack([g.square().sum() for g in gradients])
    excess = (squares.sum().sqrt() / max_norm).clamp_min(1.0)
    torch._foreach_div_(gradients, excess)


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    model.train()
    device = next(model.parameters()).device
    total = torch.zeros((), dtype=torch.double, device=device)
    samples = 0
    for _, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        loss.backward()
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        shorten(gradients, max_norm)
        optimizer.step()
        for g in gradients:
            g.zero_()
        total += loss.detach() * len(y)
        samples += len(y)
    return (total / samples).item()
