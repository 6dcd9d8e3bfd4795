import torch


def gradient_norms(model, loader, loss_fn, optimizer, num_steps):
    """Train `num_steps` steps without clipping; return the gradient's global 2-norm at each, as floats."""
    raise NotImplementedError("gradient_norms is not written yet")


def choose_threshold(norms, factor=1.5):
    """`factor` times the median of the finite norms in the second half of the list."""
    raise NotImplementedError("choose_threshold is not written yet")


def clipped_share(norms, threshold):
    """The share of steps that `threshold` would have clipped, a float in [0, 1]."""
    raise NotImplementedError("clipped_share is not written yet")


def spikes(norms, window=20, ratio=3.0):
    """The steps whose norm is far above the median of the `window` norms before it."""
    raise NotImplementedError("spikes is not written yet")
