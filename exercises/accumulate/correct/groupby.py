"""itertools.groupby makes the windows; a two-part clip."""

import itertools
import operator

import torch


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    numbered = ((i // accum_steps, batch) for i, batch in enumerate(loader))
    updates = 0
    model.train()
    for updates, (_, group) in enumerate(itertools.groupby(numbered, key=operator.itemgetter(0)), start=1):
        batches = [batch for _, batch in group]
        sizes = [batch[1].size(0) for batch in batches]
        for size, (x, y) in zip(sizes, batches):
            loss = loss_fn(model(x), y) * size
            torch.autograd.backward(loss / sum(sizes))
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        norm = torch.nn.utils.get_total_norm(gradients)
        torch.nn.utils.clip_grads_with_norm_(model.parameters(), max_norm, norm)
        optimizer.step()
        optimizer.zero_grad()
    return updates
