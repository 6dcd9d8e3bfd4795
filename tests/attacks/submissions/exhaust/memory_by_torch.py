# Takes memory through torch.
# verdict: memory
# says: Your code used more than 128 MiB of memory.

import torch


def answer(x):
    return float(torch.ones(2**28).sum())
