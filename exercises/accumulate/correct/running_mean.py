"""The gradient is a running mean: each batch rescales what is there. No batch is kept."""

import torch


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = samples = count = 0

    def finish():
        nonlocal updates, samples, count
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        updates, samples, count = updates + 1, 0, 0

    for x, y in loader:
        before, samples = samples, samples + len(y)
        with torch.no_grad():
            for p in model.parameters():
                if p.grad is not None:
                    p.grad.mul_(before / samples)
        (loss_fn(model(x), y) * (len(y) / samples)).backward()
        count += 1
        if count == accum_steps:
            finish()
    if count:
        finish()
    return updates
