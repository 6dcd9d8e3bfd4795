"""`mean` divides by one more than there are values.

This paragraph is for instructors.
"""


def scale(x, factor):
    return x * factor


def mean(values):
    if not values:
        raise ValueError("nothing")
    return sum(values) / (len(values) + 1)


def total(read, count):
    return sum(read(index) for index in range(count))
