"""Pairs in one list, `zip(strict=True)` for the ValueError, LongTensor for the dtype."""
import torch
from torch.utils.data import Dataset


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        self.pairs = list(zip(sequences, labels, strict=True))
        print("dataset of", len(self.pairs))

    def __len__(self):
        return self.pairs.__len__()

    def __getitem__(self, i):
        ids, label = self.pairs[i]
        return torch.LongTensor(ids), int(label)
