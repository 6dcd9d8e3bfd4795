"""The whole window in a closure that the optimizer calls."""

from torch.nn.utils import clip_grad_norm_


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for window in windows(loader, accum_steps):
        total = sum(len(y) for _, y in window)

        def closure():
            optimizer.zero_grad()
            loss = sum(loss_fn(model(x), y) * (len(y) / total) for x, y in window)
            loss.backward()
            clip_grad_norm_(model.parameters(), max_norm)
            return loss

        loss = optimizer.step(closure)
        updates += 1
        print(f"update {updates}: loss {loss.item():.4f}")
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
