"""The five lines: forward, zero, backward, clip, step."""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    total_loss = torch.zeros((), device=device)  # stays on the device until the epoch is over
    num_samples = 0
    model.train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total_loss += loss.detach() * len(y)  # the number without its graph, once per sample
        num_samples += len(y)
    return (total_loss / num_samples).item()
