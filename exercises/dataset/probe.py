"""Makes datasets with a solution, reads from them, and returns what came as plain data."""

import random
from itertools import islice

import numpy
import torch
from torch.utils.data import Dataset

from judge.kit import raised


def length(solution, sequences, labels):
    """What `len` says, and whether it is a Dataset."""
    dataset = _dataset(solution, sequences, labels)
    return {"length": len(dataset), "is_dataset": isinstance(dataset, Dataset)}


def read(solution, sequences, labels, indices):
    """For each index what the dataset gives, {"item": ...}, or raises, {"raised": [class names]}."""
    dataset = _dataset(solution, sequences, labels)
    return [_at(dataset, index) for index in indices]


def read_by_name(solution, sequences, labels, indices):
    dataset = solution.TextDataset(labels=labels, sequences=sequences)
    return [_at(dataset, index) for index in indices]


def iterated(solution, sequences, labels, most):
    """What a plain loop gives, at most `most` items."""
    dataset = _dataset(solution, sequences, labels)
    return [{"item": _snapshot(item)} for item in islice(dataset, most)]


def made(solution, pairs):
    """What is raised by making a dataset of each pair of arguments."""
    return [raised(lambda pair=pair: solution.TextDataset(*pair)) for pair in pairs]


def written(solution, sequences, labels, index, other, value):
    """An item as it came; then, after it was filled with `value`, items held meanwhile and items read anew."""
    dataset = _dataset(solution, sequences, labels)
    item = dataset[index]
    came = {"item": _snapshot(item)}
    again, beside = dataset[index], dataset[other]
    overwritten = {"item": _snapshot(item)}
    for part in item if isinstance(item, (list, tuple)) else [item]:
        if isinstance(part, torch.Tensor):
            part.fill_(value)
    held = [{"item": _snapshot(again)}, {"item": _snapshot(beside)}]
    return {
        "came": came,
        "after_reading": [overwritten],
        "held": held,
        "anew": [_at(dataset, index), _at(dataset, other)],
    }


def surroundings(solution, sequences, labels, global_seed):
    """The lists after a dataset has been made and read, and what the global random streams say next."""
    sequences, labels = [list(sequence) for sequence in sequences], list(labels)
    random.seed(global_seed)
    numpy.random.seed(global_seed)
    torch.default_generator.manual_seed(global_seed)
    dataset = solution.TextDataset(sequences, labels)
    for index in range(len(labels)):
        _at(dataset, index)
    streams = [random.random(), float(numpy.random.random()), float(torch.rand((), dtype=torch.float64))]
    return {"sequences": sequences, "labels": labels, "streams": streams}


def _dataset(solution, sequences, labels):
    """A dataset of lists of its own, so that what it does to them shows in `surroundings` only."""
    return solution.TextDataset([list(sequence) for sequence in sequences], list(labels))


def _at(dataset, index):
    answer = {}
    names = raised(lambda: answer.update(item=_snapshot(dataset[index])))
    return {"raised": names} if names else answer


def _snapshot(item):
    """An item as it is now, whatever is written into it later."""
    if isinstance(item, (list, tuple)):
        return [_snapshot(part) for part in item]
    return item.detach().clone() if isinstance(item, torch.Tensor) else item
