import torch


def evaluate(model, loader, loss_fn):
    """Return the mean loss per sample and the share of samples that are classified right."""
    for x, y in loader:
        logits = model(x)  # (B, C): in which mode?
        ...  # what has to be added up?
    return 0.0, 0.0
