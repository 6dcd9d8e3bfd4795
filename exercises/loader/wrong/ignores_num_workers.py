"""`num_workers` was not handed on: all samples are made in the main process, and the accelerator waits for them."""

import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        drop_last=drop_last,
        collate_fn=collate_fn,
        generator=generator,
    )
