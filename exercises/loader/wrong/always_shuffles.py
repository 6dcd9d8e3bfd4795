"""`shuffle=False` was not heeded. Validation data, read in another order each time, cannot be set beside the predictions
made before."""

import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=True,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
        generator=generator,
    )
