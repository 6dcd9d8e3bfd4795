def scale(x, factor):
    return x * factor


def mean(values):
    if not values:
        raise ValueError("the mean of nothing")
    return sum(values) / len(values)


def total(read, count):
    return sum(read(index) for index in range(count))
