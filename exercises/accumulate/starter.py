import torch


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    """Train on every batch of the loader once, one update for every `accum_steps` batches; return the updates."""
    updates = 0
    for x, y in loader:
        ...  # when to clear, to clip, to step? and how much does this batch weigh?
    return updates
