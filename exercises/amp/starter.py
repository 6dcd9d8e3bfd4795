import torch


def train_step(model, x, y, loss_fn, optimizer, scaler, max_norm=1.0, dtype=torch.bfloat16):
    """Train on one batch in mixed precision; return its loss and whether the optimizer stepped."""
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)  # under autocast?
    loss.backward()
    ...  # scale, unscale, clip, step, update: in which order?
    return loss.item(), True
