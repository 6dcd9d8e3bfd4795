"""The largest entry."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for window in windows(loader, accum_steps):
        total = sum(len(y) for _, y in window)
        optimizer.zero_grad()
        for x, y in window:
            loss = loss_fn(model(x), y) * len(y) / total
            loss.backward()
        clip_grad_norm_(model.parameters(), max_norm, norm_type=float("inf"))
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
