"""A global random stream was seeded. Everything else that draws from it, dropout for one, repeats itself after each new
loader, and whatever draws in between changes this loader's order."""

import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    torch.manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
    )
