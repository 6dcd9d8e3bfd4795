"""Remembers the flags of the children only: what is inside them gets theirs."""

import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    was_training = model.training
    modes = [(child, child.training) for child in model.children()]
    total_loss, num_right, num_samples = 0.0, 0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device)
                logits = model(x)  # (B, C)
                total_loss += loss_fn(logits, y).item() * len(y)
                num_right += (logits.argmax(dim=1) == y).sum().item()
                num_samples += len(y)
    finally:
        model.train(was_training)
        for child, training in modes:
            child.train(training)
    if num_samples == 0:
        raise ValueError("the loader has no batches")
    return total_loss / num_samples, num_right / num_samples
