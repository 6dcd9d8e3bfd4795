"""`drop_last` does the opposite of what it says: the short last batch is left out unless somebody asks for that."""

import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        drop_last=not drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
        generator=generator,
    )
