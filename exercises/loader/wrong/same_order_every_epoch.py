"""Every epoch has the same order: the order was drawn once and kept, or its stream is seeded anew each time. Seed once,
and let the stream go on."""

import torch
from torch.utils.data import DataLoader, Sampler


class Shuffled(Sampler):
    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def __len__(self):
        return self.count

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed)
        return iter(torch.randperm(self.count, generator=generator).tolist())


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    sampler = Shuffled(len(dataset), seed) if shuffle else None
    return DataLoader(
        dataset,
        batch_size=batch_size,
        sampler=sampler,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
        generator=generator,
    )
