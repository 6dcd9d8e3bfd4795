import torch


def FUNCTION(x):
    """Bring each column of x (N, D) to mean 0 and standard deviation 1."""
    return x
