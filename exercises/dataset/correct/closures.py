"""Each sample is a function that makes it; ids filled in one by one, with a stride of two."""
import torch
from torch.utils.data import Dataset


def maker(sequence, label):
    def make():
        ids = torch.empty(2 * len(sequence), dtype=torch.int64)[::2]  # not contiguous
        for place, token in enumerate(sequence):
            ids[place] = token
        return (ids, label)

    return make


class TextDataset(Dataset):
    def __init__(self, sequences, labels):
        if len(sequences) != len(labels):
            raise ValueError(f"{len(sequences)=} {len(labels)=}")
        self.makers = [maker(list(s), y) for s, y in zip(sequences, labels)]

    def __len__(self):
        return sum(1 for _ in self.makers)

    def __getitem__(self, i):
        return self.makers[i]()
