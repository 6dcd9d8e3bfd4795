"""An item is (label, ids) instead of (ids, label): whoever takes it apart in the usual order feeds labels to the
model and compares its answer with tokens."""

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
        return self.labels[i], torch.tensor(self.sequences[i], dtype=torch.int64)
