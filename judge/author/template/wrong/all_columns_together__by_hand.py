"""The same mistake in another style: the judge must know it however it is written."""


def FUNCTION(x):
    mean = x.sum() / x.numel()
    variance = ((x - mean) ** 2).sum() / x.numel()
    return (x - mean) / variance.sqrt()
