"""The sum of the squares, without the root."""


def train_accumulated(model, loader, loss_fn, optimizer, accum_steps, max_norm=1.0):
    updates = 0
    for window in windows(loader, accum_steps):
        total = sum(len(y) for _, y in window)
        optimizer.zero_grad()
        for x, y in window:
            loss = loss_fn(model(x), y) * len(y) / total
            loss.backward()
        gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
        norm = float(sum((gradient**2).sum() for gradient in gradients))
        for gradient in gradients:
            gradient *= min(1.0, max_norm / (norm + 1e-6))
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
