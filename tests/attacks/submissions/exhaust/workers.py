# DataLoader workers, where the exercise has none.
# verdict: error
# says: Your code asked the system for something that is not allowed here

import torch


def answer(x):
    return len(list(torch.utils.data.DataLoader(range(100), num_workers=8)))
