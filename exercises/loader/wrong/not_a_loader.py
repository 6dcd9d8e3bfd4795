"""What came back can be iterated but is no DataLoader: whoever asks it for its dataset, batch size or workers gets an
error."""

import torch
from torch.utils.data import DataLoader


class Loader:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        return iter(self.loader)

    def __len__(self):
        return len(self.loader)


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    return Loader(
        DataLoader(
            dataset,
            batch_size=batch_size,
            shuffle=shuffle,
            drop_last=drop_last,
            num_workers=num_workers,
            collate_fn=collate_fn,
            generator=generator,
        )
    )
