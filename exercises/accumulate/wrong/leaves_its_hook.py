"""A hook that was put on the optimizer stayed there: whoever steps with that optimizer afterwards is clipped too. Remove it
at the end of the epoch.
"""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    def clip(*_):
        clip_grad_norm_(model.parameters(), max_norm)

    optimizer.register_step_pre_hook(clip)
    updates = 0
    for window in windows(loader, accum_steps):
        optimizer.zero_grad()
        num_samples = sum(len(y) for _, y in window)
        for x, y in window:
            (loss_fn(model(x), y) * len(y) / num_samples).backward()
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
