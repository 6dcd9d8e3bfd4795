"""The class does not inherit from torch.utils.data.Dataset, so code that asks whether it was given a dataset is told
that it was not."""

import torch


class TextDataset:
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError("as many labels as sequences, please")
        self.sequences = sequences
        self.labels = labels

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, i):
        return torch.tensor(self.sequences[i], dtype=torch.int64), self.labels[i]
