"""Everything in a closure that the optimizer calls; medians of sorted lists."""

import itertools
from math import inf, isfinite


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    norms = []
    passes = itertools.chain.from_iterable(loader for _ in itertools.repeat(None))
    for x, y in itertools.islice(passes, num_steps):

        def closure():
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            squares = (p.grad.double().square().sum() for p in model.parameters() if p.grad is not None)
            norms.append(sum(squares).sqrt().item())
            return loss

        optimizer.step(closure)
    return norms


def middle(values):
    ordered = sorted(value for value in values if isfinite(value))
    half = len(ordered) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else 0.5 * (ordered[half - 1] + ordered[half])


def choose_threshold(norms, factor=1.5):
    median = middle(norms[len(norms) // 2 :])
    if median is None:
        raise ValueError
    return median * factor


def clipped_share(norms, threshold):
    fine = [norm for norm in norms if -inf < norm <= threshold]
    return 1 - len(fine) / len(norms) if norms else 0.0


def spikes(norms, window=20, ratio=3.0):
    def is_spike(step):
        before = middle(norms[step - window : step])
        return not isfinite(norms[step]) or (before is not None and norms[step] > ratio * before)

    return list(filter(is_spike, range(window, len(norms))))
