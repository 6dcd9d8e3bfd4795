"""The lists that were handed over were changed. They belong to whoever made them, and may be used for another
dataset."""

import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError("as many labels as sequences, please")
        for place, sequence in enumerate(sequences):
            sequences[place] = torch.tensor(sequence, dtype=torch.int64)
        self.sequences = sequences
        self.labels = labels

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, i):
        return self.sequences[i].clone(), self.labels[i]
