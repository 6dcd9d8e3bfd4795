"""Sequences without tokens were left out. They are samples like any other, and every index after them now means
another one."""

import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError("as many labels as sequences, please")
        kept = [(sequence, label) for sequence, label in zip(sequences, labels) if sequence]
        self.sequences = [sequence for sequence, _ in kept]
        self.labels = [label for _, label in kept]

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, i):
        return torch.tensor(self.sequences[i], dtype=torch.int64), self.labels[i]
