"""The sampler has its own random stream, but the loader has none: each epoch it draws a seed for its workers from the
global stream, also when there are no workers."""

import torch
from torch.utils.data import DataLoader, RandomSampler


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    sampler = RandomSampler(dataset, generator=generator) if shuffle else None
    return DataLoader(
        dataset,
        batch_size=batch_size,
        sampler=sampler,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
    )
