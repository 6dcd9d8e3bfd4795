"""torch.autograd.grad into sums of its own; clipped by hand."""

import torch


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    parameters = [p for p in model.parameters() if p.requires_grad]
    updates = 0
    batches = list(loader)
    for start in range(0, len(batches), accum_steps):
        window = batches[start : start + accum_steps]
        samples = sum(x.size(0) for x, _ in window)
        sums = [torch.zeros_like(p) for p in parameters]
        for x, y in window:
            gradients = torch.autograd.grad(loss_fn(model(x), y), parameters)
            for total, gradient in zip(sums, gradients):
                total.add_(gradient, alpha=x.size(0) / samples)
        norm = torch.sqrt(sum(total.square().sum() for total in sums))
        factor = (max_norm / norm).clamp(max=1.0)
        for p, total in zip(parameters, sums):
            p.grad = total * factor
        optimizer.step()
        updates += 1
    for p in parameters:
        p.grad = None
    return updates
