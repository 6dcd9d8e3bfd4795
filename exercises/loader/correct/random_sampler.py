"""A RandomSampler with its generator, and another generator for the loader; everything said at once."""
import torch
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    g = torch.Generator()
    g.manual_seed(seed)
    sampler = RandomSampler(dataset, generator=g) if shuffle else SequentialSampler(dataset)
    print("loader with", len(sampler), "samples")
    return DataLoader(dataset, batch_size, sampler=sampler, drop_last=drop_last, num_workers=num_workers,
                      collate_fn=collate_fn, generator=torch.Generator().manual_seed(seed + 1))
