"""Lets the optimizer clip just before each step."""

import torch


def train(model, loader, loss_fn, optimizer, epochs, max_norm=1.0):
    losses, norms = [], []

    def clip(*_):
        norms.append(float(torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)))

    hook = optimizer.register_step_pre_hook(clip)
    model.train()
    try:
        for batch in (batch for _ in range(epochs) for batch in loader):
            x, y = batch
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
    finally:
        hook.remove()
    return [float(loss) for loss in losses], norms
