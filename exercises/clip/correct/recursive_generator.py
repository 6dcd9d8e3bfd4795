"""A generator of steps, the first of which are taken; only the trainable parameters are asked."""

import math
from itertools import islice
from statistics import median


def steps(model, loader, loss_fn, optimizer):
    for batch in loader:
        x, y = batch[0], batch[1]
        model.zero_grad(set_to_none=True)
        loss = loss_fn(model(x), y)
        loss.backward()
        norms = [p.grad.detach().norm(2) for p in model.parameters() if p.requires_grad]
        norm = math.sqrt(sum(n.item() * n.item() for n in norms))
        optimizer.step()
        yield norm
    yield from steps(model, loader, loss_fn, optimizer)


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    return list(islice(steps(model, loader, loss_fn, optimizer), num_steps))


def choose_threshold(norms, factor=1.5):
    half = len(norms) // 2
    finite = [norm for index, norm in enumerate(norms) if index >= half and not (math.isnan(norm) or math.isinf(norm))]
    if finite == []:
        raise ValueError(f"none of {len(norms) - half} norms is finite")
    return median(finite) * factor


def clipped_share(norms, threshold):
    if len(norms) == 0:
        return 0.0
    return len([1 for norm in norms if norm > threshold or norm != norm or norm == math.inf]) / len(norms)


def spikes(norms, window=20, ratio=3.0):
    wild = {i for i in range(window, len(norms)) if not math.isfinite(norms[i])}
    high = set()
    for i in set(range(window, len(norms))) - wild:
        before = [norms[j] for j in range(i - window, i) if math.isfinite(norms[j])]
        if before and norms[i] / median(before) > ratio:
            high.add(i)
    return sorted(wild | high)
