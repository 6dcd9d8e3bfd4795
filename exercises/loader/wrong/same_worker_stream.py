"""All workers were given the same seed for a random stream, so they draw the same numbers from it: samples made by
different workers are augmented alike."""

import random

import numpy
import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    def seed_worker(worker_id):
        random.seed(seed)
        numpy.random.seed(seed)
        torch.manual_seed(seed)

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
