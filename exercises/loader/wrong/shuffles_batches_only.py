"""Only the batches were shuffled, each of the same neighbours in every epoch: their gradients err in the same way again
and again."""

import torch
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler, SubsetRandomSampler


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    generator = torch.Generator().manual_seed(seed)
    batches = list(BatchSampler(SequentialSampler(dataset), batch_size, drop_last))
    if shuffle:
        batches = SubsetRandomSampler(batches, generator=generator)
    return DataLoader(
        dataset, batch_sampler=batches, num_workers=num_workers, collate_fn=collate_fn, generator=generator
    )
