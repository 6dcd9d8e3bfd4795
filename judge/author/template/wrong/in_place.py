"""The input was changed in place: whoever handed it over finds other numbers in it."""


def FUNCTION(x):
    x -= x.mean(dim=0)
    x /= x.std(dim=0, correction=0)
    return x
