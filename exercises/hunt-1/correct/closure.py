"""The whole update as a closure."""

import torch
from torch.nn.utils import clip_grad_norm_


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    return [one_epoch(model.train(), loader, loss_fn, optimizer, max_norm) for _ in range(epochs)]


def one_epoch(model, loader, loss_fn, optimizer, max_norm):
    losses, sizes = [], []
    for x, y in loader:

        def update():
            optimizer.zero_grad(set_to_none=False)
            loss = loss_fn(model(x), y)
            loss.backward()
            clip_grad_norm_(model.parameters(), max_norm)
            return loss

        losses.append(optimizer.step(update).detach())
        sizes.append(len(y))
    weights = torch.tensor(sizes, dtype=losses[0].dtype, device=losses[0].device)
    return float((torch.stack(losses) * weights).sum() / weights.sum())
