"""Makes loaders with a solution, iterates them, and returns what came as plain data.

Whatever is drawn here for workers is drawn from the global streams, as an augmentation would do it.
"""

import hashlib
import multiprocessing
import random
from itertools import islice

import numpy
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info

MOST_BATCHES = 64

# Workers are forked, also where the process that runs this has another way of starting its own.
multiprocessing.set_start_method("fork", force=True)


class Samples(Dataset):
    """Map-style and nothing more: a length and an item for each index."""

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        if index >= len(self.values):
            raise IndexError(index)
        return self.values[index]


class Draws(Dataset):
    """Items that are drawn where they are made: index, worker, and a number of each of the worker's random streams."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        worker = get_worker_info()
        number = -1 if worker is None else worker.id
        return torch.tensor([index, number, random.random(), numpy.random.random(), torch.rand(()).item()]).double()


def kind(solution, values, batch_size, seed):
    """Whether it is a DataLoader, and what its batches are; all arguments by keyword."""
    loader = solution.make_loader(dataset=Samples(values), batch_size=batch_size, seed=seed)
    return {"is_loader": isinstance(loader, DataLoader), "batches": _epoch(loader)}


def epochs(solution, values, batch_size, runs, count, global_seed=0):
    """All epochs of loaders that were all made before the first is iterated; they are iterated in turns.

    `runs` are the loaders' seeds and options. For each the global streams are seeded otherwise, from `global_seed` on.
    """
    loaders = []
    for number, run in enumerate(runs, global_seed):
        _seed_globally(number)
        options = {name: value for name, value in run.items() if name != "seed"}
        loaders.append(solution.make_loader(Samples(list(values)), batch_size, run["seed"], **options))
    found = [[] for _ in loaders]
    for _ in range(count):
        for loader, its_epochs in zip(loaders, found, strict=True):
            its_epochs.append([_plain(batch) for batch in _epoch(loader)])
    return found


def collated(solution, values, batch_size, seed, factor):
    """The batches of a loader with a `collate_fn` that is neither a function nor the default."""
    loader = solution.make_loader(Samples(values), batch_size, seed, shuffle=False, collate_fn=Scaled(factor))
    return _epoch(loader)


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, items):
        return {"scaled": [self.factor * int(item) for item in items]}


def surroundings(solution, values, batch_size, seed, settings, global_seed):
    """For each of `settings`, what the global random streams are at the start, and after each thing that is done.

    Also the orders that came, and whether the dataset is another one afterwards.
    """
    found = {"phases": [], "orders": [], "changed": False}
    for options in settings:
        dataset = Samples(list(values))
        _seed_globally(global_seed)
        phases = [_streams()]
        loader = solution.make_loader(dataset, batch_size, seed, **options)
        phases.append(_streams())
        iterator = iter(loader)
        phases.append(_streams())
        order = []
        for batch in islice(iterator, MOST_BATCHES):
            phases.append(_streams())
            order += _plain(batch)
        phases.append(_streams())
        found["phases"].append(phases)
        found["orders"].append(order)
        found["changed"] |= dataset.values != list(values)
    return found


def streams(solution, items, batch_size, num_workers, seeds, options):
    """For each of `seeds`, what the workers draw in one epoch: rows of index, worker, random, numpy, torch."""
    loaders = []
    for number, seed in enumerate(seeds):
        _seed_globally(number)
        loaders.append(solution.make_loader(Draws(items), batch_size, seed, num_workers=num_workers, **options))
    rows = []
    while loaders:
        loader = loaders.pop(0)  # with its workers it goes when it has been used
        rows.append([[float(number) for number in row] for batch in _epoch(loader) for row in batch])
        del loader
    return rows


def _epoch(loader):
    return list(islice(loader, MOST_BATCHES))


def _plain(batch):
    """A batch of numbers as a list, whatever has collated it."""
    return batch.tolist() if isinstance(batch, torch.Tensor) else batch


def _seed_globally(seed):
    """Each stream gets its own seed and moves on: one seeded with another's seed, or with its own again, shows."""
    random.seed(seed + 1)
    numpy.random.seed(seed + 2)
    torch.default_generator.manual_seed(seed)
    random.random(), numpy.random.random(), torch.rand(())


def _streams():
    """What the global streams of Python, numpy and torch are, each as a short text."""
    name, keys, *rest = numpy.random.get_state()
    states = (
        repr(random.getstate()).encode(),
        repr((name, *rest)).encode() + keys.tobytes(),
        torch.get_rng_state().numpy().tobytes(),
    )
    return [hashlib.sha256(state).hexdigest()[:16] for state in states]
