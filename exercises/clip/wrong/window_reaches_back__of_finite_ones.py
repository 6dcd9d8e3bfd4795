"""Compares as soon as so many finite ones have passed."""

import math
import statistics
from collections import deque

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
    before = deque(maxlen=window)
    for i, norm in enumerate(norms):
        if not math.isfinite(norm):
            if i >= window:
                found.append(i)
            continue
        if len(before) == window and norm > ratio * statistics.median(before):
            found.append(i)
        before.append(norm)
    return found
