"""A large batch in small pieces: every sample of a window weighs the same, wherever it is."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for window in windows(loader, accum_steps):
        num_samples = sum(len(y) for _, y in window)
        for x, y in window:
            loss = loss_fn(model(x), y)
            (loss * len(y) / num_samples).backward()  # its share of the mean over the window; backward adds them up
        clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        updates += 1
    return updates


def windows(loader, size):
    """Lists of `size` batches; the last one may be shorter."""
    window = []
    for batch in loader:
        window.append(batch)
        if len(window) == size:
            yield window
            window = []
    if window:
        yield window
