"""All ids in one tensor; each item is a copy of its stretch."""
import itertools

import torch


class TextDataset(torch.utils.data.Dataset):
    def __init__(self, sequences, labels):
        super().__init__()
        if not len(sequences) == len(labels):
            raise ValueError
        self._tokens = torch.tensor(list(itertools.chain.from_iterable(sequences)), dtype=torch.long)
        self._ends = list(itertools.accumulate((len(s) for s in sequences), initial=0))
        self._labels = tuple(labels)

    def __len__(self):
        return len(self._ends) - 1

    def __getitem__(self, i):
        n = len(self)
        if i >= n or i < -n:
            raise IndexError("TextDataset index out of range")
        i %= n
        return self._tokens[self._ends[i] : self._ends[i + 1]].clone(), self._labels[i]
