"""The batches' means were averaged as if all batches had the same size: each sample of a small last batch counts more than
the others.
"""

import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(module, module.training) for module in model.modules()]
    losses, accuracies = [], []
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device)
                logits = model(x)  # (B, C)
                losses.append(loss_fn(logits, y).item())
                accuracies.append((logits.argmax(dim=1) == y).float().mean().item())
    finally:
        for module, training in modes:
            module.training = training
    if not losses:
        raise ValueError("the loader has no batches")
    return sum(losses) / len(losses), sum(accuracies) / len(accuracies)
