"""A batch was not moved to the model's device: with the model on an accelerator and the data on the host, torch refuses to
mix them.
"""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    model.train()
    total, samples = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total = total + loss.detach() * len(y)
        samples += len(y)
    return (total / samples).item()
