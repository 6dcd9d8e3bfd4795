"""zero_grad before the forward pass; the sum is kept under no_grad."""

import torch
from torch.nn.utils import clip_grad_norm_


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    model.train()
    device = next(model.parameters()).device
    summed, seen = torch.tensor(0.0, device=device), 0
    for inputs, targets in loader:
        inputs = inputs.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        outputs = model(inputs)
        loss = loss_fn(outputs, targets)
        loss.backward()
        clip_grad_norm_(model.parameters(), max_norm=max_norm)
        optimizer.step()
        with torch.no_grad():
            summed += loss * targets.size(0)
        seen += targets.size(0)
    return float(summed / seen)
