"""`total` reads from the last item to the second: it skips the first and does not keep the order."""


def scale(x, factor):
    return x * factor


def mean(values):
    if not values:
        raise ValueError("nothing")
    return sum(values) / len(values)


def total(read, count):
    return sum(read(index) for index in reversed(range(1, count)))
