# Answers with a large tensor made of one number.
# verdict: error
# says: too large

import torch


def answer(x):
    return torch.zeros(1).expand(2**22 + 1)
