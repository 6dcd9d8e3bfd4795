"""Loaders share a stream: making or iterating one changes the order of another one with the same seed."""

import torch
from torch.utils.data import DataLoader

SHARED = torch.Generator()


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    SHARED.manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
        generator=SHARED,
    )
