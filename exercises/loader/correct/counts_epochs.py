"""A sampler that makes a new Python stream of seed and epoch; workers seeded by hand, the same in every epoch."""
import random

import numpy
import torch
from torch.utils.data import DataLoader, Sampler


class EpochSampler(Sampler):
    def __init__(self, size, seed, shuffle):
        self.size, self.seed, self.shuffle, self.epoch = size, seed, shuffle, 0

    def __len__(self):
        return self.size

    def __iter__(self):
        order = list(range(self.size))
        if self.shuffle:
            random.Random(f"{self.seed} {self.epoch}").shuffle(order)
        self.epoch += 1
        yield from order


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    def init(worker):
        own = (seed * 1000003 + worker) % 2**32
        random.seed(own)
        numpy.random.seed(own)
        torch.manual_seed(own)

    return DataLoader(dataset, batch_size=batch_size, sampler=EpochSampler(len(dataset), seed, shuffle),
                      drop_last=drop_last, num_workers=num_workers, collate_fn=collate_fn, worker_init_fn=init,
                      generator=torch.Generator())
