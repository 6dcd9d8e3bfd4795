"""All outputs of a window go into one loss, one backward."""

import torch
from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    outputs, targets = [], []

    def update():
        loss = loss_fn(torch.cat(outputs), torch.cat(targets))
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        outputs.clear()
        targets.clear()

    for x, y in loader:
        outputs.append(model(x))
        targets.append(y)
        if len(outputs) == accum_steps:
            update()
            updates += 1
    if outputs:
        update()
        updates += 1
    optimizer.zero_grad()
    return updates
