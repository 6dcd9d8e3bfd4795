"""Batches are taken accum_steps at a time with zip, which stops at the first shortage."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for window in zip(*[iter(loader)] * accum_steps):
        total = sum(len(y) for _, y in window)
        optimizer.zero_grad()
        for x, y in window:
            loss = loss_fn(model(x), y) * len(y) / total
            loss.backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        updates += 1
    optimizer.zero_grad()
    return updates
