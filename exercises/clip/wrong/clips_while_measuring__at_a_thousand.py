import math
import statistics

import torch

def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    norms = []
    while len(norms) < num_steps:
        for x, y in loader:
            if len(norms) == num_steps:
                break
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 1e3).item())
            optimizer.step()
    return norms


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
    for i in range(window, len(norms)):
        before = [norm for norm in norms[i - window : i] if math.isfinite(norm)]
        if not math.isfinite(norms[i]):
            found.append(i)
        elif before and norms[i] > ratio * statistics.median(before):
            found.append(i)
    return found
