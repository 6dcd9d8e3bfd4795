"""`scale` adds the factor instead of multiplying by it."""


def scale(x, factor):
    return x + factor


def mean(values):
    if not values:
        raise ValueError("nothing")
    return sum(values) / len(values)


def total(read, count):
    return sum(read(index) for index in range(count))
