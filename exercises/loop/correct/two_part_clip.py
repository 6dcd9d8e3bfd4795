"""get_total_norm and clip_grads_with_norm_; the losses are stacked and read as one list."""

import torch
from torch.nn.utils import clip_grads_with_norm_, get_total_norm


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    model.train()
    history = []
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        with_gradient = [p for p in model.parameters() if p.grad is not None]
        norm = get_total_norm([p.grad for p in with_gradient])
        clip_grads_with_norm_(with_gradient, max_norm, norm)
        optimizer.step()
        history.append((loss.detach(), len(y)))
    means = torch.stack([mean for mean, _ in history]).tolist()
    sizes = [size for _, size in history]
    return sum(mean * size for mean, size in zip(means, sizes)) / sum(sizes)
