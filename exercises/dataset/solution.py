"""Sequences of token ids and their labels, one sample an index."""

import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError(f"{len(sequences)} sequences, but {len(labels)} labels")
        self.sequences = sequences
        self.labels = labels

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, i):
        # The lists know negative indices and raise IndexError themselves. An empty list has no dtype of its own.
        ids = torch.tensor(self.sequences[i], dtype=torch.int64)  # (T_i,), memory of its own
        return ids, self.labels[i]
