"""The update of the batches left over was made but not counted."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates, samples, pending = 0, 0, 0
    optimizer.zero_grad()
    for x, y in loader:
        (loss_fn(model(x), y) * len(y)).backward()
        samples += len(y)
        pending += 1
        if pending == accum_steps:
            update(model, optimizer, samples, max_norm)
            updates, samples, pending = updates + 1, 0, 0
    if pending:
        update(model, optimizer, samples, max_norm)
    return updates


def update(model, optimizer, samples, max_norm):
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad /= samples
    clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad()
