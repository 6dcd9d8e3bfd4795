"""The textbook's way with the step outside the condition."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for i, (x, y) in enumerate(loader):
        (loss_fn(model(x), y) / accum_steps).backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        updates += 1
        if (i + 1) % accum_steps == 0:
            optimizer.zero_grad()
    optimizer.zero_grad()
    return updates
