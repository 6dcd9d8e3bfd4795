"""A hook of the optimizer measures; it is removed afterwards."""

import collections
import math
import statistics


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    norms = []

    def measure(optimizer, args, kwargs):
        total = 0.0
        for p in model.parameters():
            if p.grad is not None:
                total += p.grad.pow(2).sum().item()
        norms.append(total**0.5)

    handle = optimizer.register_step_pre_hook(measure)
    try:
        while len(norms) < num_steps:
            for x, y in loader:
                model.zero_grad()
                loss_fn(model(x), y).backward()
                optimizer.step()
                if len(norms) == num_steps:
                    break
    finally:
        handle.remove()
    return norms


def choose_threshold(norms, factor=1.5):
    late = [norm for norm in norms[len(norms) // 2 :] if abs(norm) < math.inf]
    if late:
        return statistics.median(late) * factor
    raise ValueError("no finite norm in the second half")


def clipped_share(norms, threshold):
    count = 0
    for norm in norms:
        if math.isnan(norm) or math.isinf(norm) or norm > threshold:
            count += 1
    return count / max(1, len(norms))


def spikes(norms, window=20, ratio=3.0):
    before, found = collections.deque(maxlen=window), []
    for step, norm in enumerate(norms):
        finite = [value for value in before if math.isfinite(value)]
        limit = ratio * statistics.median(finite) if finite else math.inf
        if len(before) == window and not (norm <= limit and norm < math.inf):
            found.append(step)
        before.append(norm)
    return found
