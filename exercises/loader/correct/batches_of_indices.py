"""A batch sampler of its own, numpy's generator for the order, workers that stay."""
import numpy as np
import torch
from torch.utils.data import DataLoader


class Batches:
    def __init__(self, n, size, seed, shuffle, drop_last):
        self.n, self.size, self.shuffle, self.drop_last = n, size, shuffle, drop_last
        self.rng = np.random.default_rng(seed)

    def __iter__(self):
        order = self.rng.permutation(self.n) if self.shuffle else np.arange(self.n)
        for start in range(0, self.n, self.size):
            batch = order[start : start + self.size].tolist()
            if len(batch) == self.size or not self.drop_last:
                yield batch

    def __len__(self):
        return self.n // self.size if self.drop_last else -(-self.n // self.size)


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    return DataLoader(
        dataset,
        batch_sampler=Batches(len(dataset), batch_size, seed, shuffle, drop_last),
        num_workers=num_workers,
        collate_fn=collate_fn,
        persistent_workers=num_workers > 0,
        generator=torch.Generator().manual_seed(seed),
    )
