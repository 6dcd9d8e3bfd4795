"""Switches to training mode where eval mode was meant, and puts the flags back."""

import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = {name: module.training for name, module in model.named_modules()}
    losses, right = [], []
    model.train()
    try:
        with torch.no_grad():
            for x, y in loader:
                logits = model(x.to(device))  # (B, C)
                losses += [loss_fn(logits, y.to(device))] * len(y)
                right.append(logits.argmax(1) == y.to(device))
    finally:
        for name, module in model.named_modules():
            module.training = modes[name]
    if not losses:
        raise ValueError("nothing to evaluate")
    return torch.stack(losses).mean().item(), torch.cat(right).float().mean().item()
