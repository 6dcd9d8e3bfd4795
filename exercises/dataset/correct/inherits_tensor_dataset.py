"""A TensorDataset of row numbers underneath, and a list for a pair."""
import torch
from torch.utils.data import TensorDataset


class TextDataset(TensorDataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError("unequal")
        super().__init__(torch.arange(len(sequences)))
        self.sequences = sequences
        self.labels = labels

    def __getitem__(self, i):
        row = int(super().__getitem__(i)[0])
        return [torch.as_tensor(self.sequences[row], dtype=torch.int64), self.labels[row]]
