"""A right answer in another style: it must pass."""

import torch


def FUNCTION(x):
    columns = []
    for column in x.T:
        centred = column - column.mean()
        columns.append(centred / (centred**2).mean().sqrt())
    return torch.stack(columns, dim=1)
