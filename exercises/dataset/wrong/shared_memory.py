"""Items share memory with the dataset or with each other: writing into one, as an augmentation does, changes what
others are given from then on."""

import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError("as many labels as sequences, please")
        self.sequences = [torch.tensor(sequence, dtype=torch.int64) for sequence in sequences]
        self.labels = labels

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, i):
        return self.sequences[i], self.labels[i]
