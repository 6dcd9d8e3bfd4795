"""Gradients are cleared after each step, to zeros; the loss is added up in double precision."""

import torch
import torch.nn.utils as utils


def train_one_epoch(model, loader, loss_fn, optimizer, max_norm=1.0):
    parameters = list(model.parameters())
    device = parameters[0].device
    model.train(True)
    total = torch.zeros(1, dtype=torch.float64, device=device)
    samples = 0
    for batch in loader:
        x, y = (tensor.to(device) for tensor in batch)
        loss = loss_fn(model(x), y)
        loss.backward()
        utils.clip_grad_norm_(parameters, max_norm, norm_type=2, foreach=False)
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
        total += loss.detach().double() * x.shape[0]
        samples += x.shape[0]
    total /= samples
    return total.item()
