"""One long vector, and numpy for the lists."""

import numpy as np


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    norms = []
    while True:
        for x, y in loader:
            if len(norms) >= num_steps:
                return norms
            loss_fn(model(x), y).backward()
            gradients = [p.grad.cpu().numpy().ravel() for p in model.parameters() if p.grad is not None]
            norms.append(float(np.linalg.norm(np.concatenate(gradients))))
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)


def choose_threshold(norms, factor=1.5):
    late = np.asarray(norms[len(norms) // 2 :], dtype=float)
    late = late[np.isfinite(late)]
    if late.size == 0:
        raise ValueError("nothing to choose by")
    return factor * np.median(late)  # a numpy float is a float


def clipped_share(norms, threshold):
    values = np.array(norms, dtype=float)
    return float((~(values <= threshold)).mean()) if len(values) else 0.0


def spikes(norms, window=20, ratio=3.0):
    values = np.array(norms, dtype=float)
    values[~np.isfinite(values)] = np.nan
    found = []
    for step in range(window, len(values)):
        before = values[step - window : step]
        before = before[~np.isnan(before)]
        middle = np.median(before) if len(before) else np.inf
        if np.isnan(values[step]) or values[step] > ratio * middle:
            found.append(step)
    return found
