"""A DataLoader with a random stream of its own."""

import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    """A loader whose order, and whose workers' random streams, are drawn from `seed` and from nothing else."""
    # Needed without shuffling too: each epoch draws a seed for the workers, else from the global stream.
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
        generator=generator,
    )
