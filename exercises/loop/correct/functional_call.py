"""The forward pass through functional_call, the samples counted on the device, one read at the end."""

import torch
from torch.func import functional_call


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    model.train()
    parameters = dict(model.named_parameters())
    device = next(iter(parameters.values())).device
    sums = torch.zeros(2, device=device)  # losses, samples
    for x, y in loader:
        x, y = x.to(device=device), y.to(device=device)
        loss = loss_fn(functional_call(model, parameters, (x,)), y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters.values(), max_norm)
        optimizer.step()
        sums[0] += loss.detach() * len(y)
        sums[1] += len(y)
    return (sums[0] / sums[1]).item()
