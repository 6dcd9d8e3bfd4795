"""A numpy table with the lengths beside it: items are copies of parts of rows, in a named tuple."""
from collections import namedtuple

import numpy as np
import torch
from torch.utils.data import Dataset

Sample = namedtuple("Sample", ["ids", "label"])


class TextDataset(Dataset[Sample]):
    def __init__(self, sequences, labels):
        if len(labels) != len(sequences):
            raise ValueError("lengths differ: %d, %d" % (len(sequences), len(labels)))
        self.lengths = np.array([len(s) for s in sequences], dtype=np.int64)
        self.table = np.zeros((len(sequences), max(self.lengths, default=0)), dtype=np.int64)
        for row, s in zip(self.table, sequences):
            row[: len(s)] = s
        self.labels = np.array(labels, dtype=np.int64)

    def __len__(self):
        return self.table.shape[0]

    def __getitem__(self, i):
        n = self.lengths[i]  # numpy raises IndexError too
        return Sample(torch.from_numpy(self.table[i, :n].copy()), self.labels[i].item())
