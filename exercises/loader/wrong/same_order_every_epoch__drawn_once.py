import random

from torch.utils.data import DataLoader, Subset


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    order = list(range(len(dataset)))
    if shuffle:
        random.Random(seed).shuffle(order)
    return DataLoader(
        Subset(dataset, order),
        batch_size=batch_size,
        drop_last=drop_last,
        num_workers=num_workers,
        collate_fn=collate_fn,
    )
