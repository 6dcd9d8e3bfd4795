import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, labels, sequences):
        if len(sequences) != len(labels):
            raise ValueError("as many labels as sequences, please")
        self.sequences = sequences
        self.labels = labels

    def __len__(self):
        return len(self.sequences)

    def __getitem__(self, i):
        return torch.tensor(self.sequences[i], dtype=torch.int64), self.labels[i]
