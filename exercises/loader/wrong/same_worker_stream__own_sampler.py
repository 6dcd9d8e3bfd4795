import random

import numpy
import torch
from torch.utils.data import DataLoader, RandomSampler


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    def seed_worker(worker_id):
        random.seed(seed)
        numpy.random.seed(seed)
        torch.manual_seed(seed)

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
