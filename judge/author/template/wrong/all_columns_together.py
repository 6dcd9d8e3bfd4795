"""One mean and one standard deviation were taken of the whole tensor, so large columns stay large and small ones small."""


def FUNCTION(x):
    return (x - x.mean()) / x.std(correction=0)
