"""`scale` changes its input: `*=` works in the tensor that it was given."""


def scale(x, factor):
    x *= factor
    return x


def mean(values):
    if not values:
        raise ValueError("nothing")
    return sum(values) / len(values)


def total(read, count):
    return sum(read(index) for index in range(count))
