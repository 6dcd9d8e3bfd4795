import random

import numpy
import torch
from torch.utils.data import DataLoader, RandomSampler


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    def seed_worker(worker_id):
        random.seed(seed + worker_id)
        numpy.random.seed((seed + worker_id) % 2**32)
        torch.manual_seed(seed + worker_id)

    generator = torch.Generator().manual_seed(seed)
    sampler = RandomSampler(dataset, generator=generator) if shuffle else None
    return DataLoader(
        dataset,
        batch_size=batch_size,
        sampler=sampler,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
        worker_init_fn=seed_worker,
    )
