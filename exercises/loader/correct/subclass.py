"""A DataLoader that seeds its generator with seed and epoch as each epoch begins."""
import torch
from torch.utils.data import DataLoader


class RepeatableLoader(DataLoader):
    def __init__(self, *args, seed, **kwargs):
        super().__init__(*args, generator=torch.Generator(), **kwargs)
        self._seed = seed
        self._epoch = 0

    def __iter__(self):
        self.generator.manual_seed(self._seed + 7919 * self._epoch)
        self._epoch += 1
        return super().__iter__()


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    return RepeatableLoader(dataset, batch_size, shuffle, seed=seed, drop_last=drop_last, num_workers=num_workers,
                            collate_fn=collate_fn)
