"""All batches of the last pass are trained on; the list is cut to the steps asked for."""

import math
import statistics

from torch.nn.utils import get_total_norm


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    """Train `num_steps` steps without clipping; return the gradient's global 2-norm at each."""
    norms = []
    while len(norms) < num_steps:
        for x, y in loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
            norms.append(get_total_norm(gradients).item())
            optimizer.step()
    return norms[:num_steps]


def choose_threshold(norms, factor=1.5):
    """`factor` times the median of the finite norms in the second half, where the run has settled."""
    settled = finite(norms[len(norms) // 2 :])
    if not settled:
        raise ValueError("there is no finite norm in the second half")
    return factor * statistics.median(settled)


def clipped_share(norms, threshold):
    """The share of steps that `threshold` would have clipped."""
    if not norms:
        return 0.0
    return sum(norm > threshold or not math.isfinite(norm) for norm in norms) / len(norms)


def spikes(norms, window=20, ratio=3.0):
    """The steps whose norm is more than `ratio` times the median of the `window` norms before it, or not finite."""
    found = []
    for step in range(window, len(norms)):
        before = finite(norms[step - window : step])  # the step itself is not among them
        if not math.isfinite(norms[step]) or (before and norms[step] > ratio * statistics.median(before)):
            found.append(step)
    return found


def finite(norms):
    return [norm for norm in norms if math.isfinite(norm)]
