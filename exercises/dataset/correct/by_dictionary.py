"""A dictionary by index, negative ones among its keys; its KeyError becomes an IndexError; a method for many at once."""
import torch
from torch.utils import data


class Base(data.Dataset):
    def __len__(self):
        return self.count

    def __getitems__(self, indices):
        return [self[i] for i in indices]


class TextDataset(Base):
    def __init__(self, sequences, labels):
        self.count = len(sequences)
        if self.count != len(labels):
            raise ValueError("unequal")
        self.samples = {}
        for i in range(self.count):
            self.samples[i] = self.samples[i - self.count] = (torch.tensor(sequences[i]).to(torch.int64), labels[i])

    def __getitem__(self, i):
        if i not in self.samples:
            raise IndexError(i)
        ids, label = self.samples[i]
        return ids.detach().clone(), label
