"""The recipe of many projects: a generator, and workers that seed Python and numpy from torch's seed."""
import random

import numpy as np
import torch
from torch.utils.data import DataLoader


def seed_worker(worker_id):
    worker_seed = torch.initial_seed() % 2**32
    np.random.seed(worker_seed)
    random.seed(worker_seed)


def make_loader(dataset, batch_size, seed, *, shuffle=True, drop_last=False, num_workers=0, collate_fn=None):
    g = torch.Generator()
    g.manual_seed(seed)
    return DataLoader(dataset=dataset, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last,
                      num_workers=num_workers, collate_fn=collate_fn, worker_init_fn=seed_worker, generator=g)
