"""Counts the samples in a first pass over the loader, so that each loss is weighted as it comes."""

import torch


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    device = next(model.parameters()).device
    samples = sum(y.shape[0] for _, y in loader)
    mean_loss = torch.zeros((), device=device)
    model.train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        mean_loss += loss.detach() * (y.shape[0] / samples)
        del loss
    return mean_loss.tolist()
