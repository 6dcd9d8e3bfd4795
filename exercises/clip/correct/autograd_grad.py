"""Gradients asked for and put where the optimizer looks for them."""

import math
import statistics

import torch


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    trainable = [p for p in model.parameters() if p.requires_grad]
    norms, batches = [], iter(())
    while len(norms) < num_steps:
        batch = next(batches, None)
        if batch is None:
            batches = iter(loader)
            continue
        x, y = batch
        gradients = torch.autograd.grad(loss_fn(model(x), y), trainable)
        for p, gradient in zip(trainable, gradients):
            p.grad = gradient
        norms.append(math.hypot(*[gradient.norm().item() for gradient in gradients]))
        optimizer.step()
    for p in trainable:
        p.grad = None
    return norms


def choose_threshold(norms, factor=1.5):
    return factor * statistics.median(filter(math.isfinite, norms[len(norms) // 2 :]))  # its error is a ValueError


def clipped_share(norms, threshold):
    return statistics.fmean(not norm <= threshold for norm in norms) if norms else 0.0


def spikes(norms, window=20, ratio=3.0):
    return [
        i
        for i, norm in enumerate(norms)
        if i >= window
        and (
            not math.isfinite(norm)
            or norm > ratio * statistics.median(list(filter(math.isfinite, norms[i - window : i])) or [math.inf])
        )
    ]
