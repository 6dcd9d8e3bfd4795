import torch


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    """Put into one file at `path` all that going on after `epoch` needs; a kill must never leave half a file there."""


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    """Bring the given objects to where they were, and return the next epoch to run."""
    return 0


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    """Go on from `path` if it is there, train to the end of epoch `epochs - 1`, and return the mean losses."""
    return []
