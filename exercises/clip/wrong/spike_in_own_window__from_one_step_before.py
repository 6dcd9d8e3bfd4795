"""The window is whole one step earlier then."""

import math
import statistics

def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    norms = []
    while len(norms) < num_steps:
        for x, y in loader:
            if len(norms) == num_steps:
                break
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            norms.append(global_norm(model))
            optimizer.step()
    return norms


def global_norm(model):
    return math.sqrt(sum(float(p.grad.norm()) ** 2 for p in model.parameters() if p.grad is not None))


def choose_threshold(norms, factor=1.5):
    late = [norm for norm in norms[len(norms) // 2 :] if math.isfinite(norm)]
    if not late:
        raise ValueError("no finite norm")
    return factor * statistics.median(late)


def clipped_share(norms, threshold):
    if not norms:
        return 0.0
    return sum(norm > threshold or not math.isfinite(norm) for norm in norms) / len(norms)


def spikes(norms, window=20, ratio=3.0):
    found = []
    for i in range(window - 1, len(norms)):
        before = [norm for norm in norms[i - window + 1 : i + 1] if math.isfinite(norm)]
        if not math.isfinite(norms[i]):
            found.append(i)
        elif before and norms[i] > ratio * statistics.median(before):
            found.append(i)
    return found
