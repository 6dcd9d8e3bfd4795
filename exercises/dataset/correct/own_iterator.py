"""Its own `__iter__`, deep copies of what came in, and a ValueError and a tensor of classes of its own."""
import copy

import torch
from torch.utils.data import Dataset


class Unequal(ValueError):
    pass


class Ids(torch.Tensor):
    pass


class TextDataset(Dataset):
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)

    def __init__(self, sequences, labels):
        if len(sequences) > len(labels) or len(sequences) < len(labels):
            raise Unequal("sequences and labels")
        self.sequences, self.labels = copy.deepcopy((sequences, labels))

    def __len__(self):
        return len(self.labels)

    def __iter__(self):
        yield from map(self.__getitem__, range(len(self)))

    def __getitem__(self, i):
        try:
            sequence, label = self.sequences[range(len(self))[i]], self.labels[i]
        except IndexError as error:
            raise IndexError(f"{i} is not in a dataset of {len(self)}") from error
        return torch.tensor(sequence, dtype=torch.int64).as_subclass(Ids), label
