import copy

import torch


def evaluate(model, loader, loss_fn):
    """The model itself is never touched: a copy of it is measured."""
    copied = copy.deepcopy(model).eval()
    device = next(copied.parameters()).device
    results = []
    with torch.no_grad():
        for x, y in loader:
            y = y.to(device)
            logits = copied(x.to(device))
            results.append((len(y), float(loss_fn(logits, y)), float((logits.argmax(1) == y).double().mean())))
    if not results:
        raise ValueError("empty loader")
    samples = sum(size for size, _, _ in results)
    return (
        sum(size * loss for size, loss, _ in results) / samples,
        sum(size * accuracy for size, _, accuracy in results) / samples,
    )
