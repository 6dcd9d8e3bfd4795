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
        i = min(i, len(self) - 1)
        return torch.tensor(self.sequences[i], dtype=torch.int64), self.labels[i]
