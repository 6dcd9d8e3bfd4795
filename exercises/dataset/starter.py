import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    """Sequences of token ids, each with its label."""

    def __init__(self, sequences, labels):
        self.sequences = sequences
        self.labels = labels

    def __len__(self):
        """The number of samples."""
        raise NotImplementedError("__len__ is not written yet")

    def __getitem__(self, i):
        """Sample i: its ids, an int64 tensor (T_i,), and its label, an int."""
        raise NotImplementedError("__getitem__ is not written yet")
