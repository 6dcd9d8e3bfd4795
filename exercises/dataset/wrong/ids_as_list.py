"""The ids came as a list and not as a tensor. Whoever pads samples to a batch, or feeds one to a model, needs tensors."""

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
        return list(self.sequences[i]), self.labels[i]
