"""What the workers draw does not repeat: in them a random stream was seeded with something else than the seed, such as
the time or the operating system's noise."""

import numpy
import torch
from torch.utils.data import DataLoader


def seed_worker(worker_id):
    numpy.random.seed()  # from the operating system


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
        generator=generator,
        worker_init_fn=seed_worker,
    )
