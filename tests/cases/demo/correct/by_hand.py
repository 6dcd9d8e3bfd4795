import torch


def scale(x, factor):
    print("scaling")
    return torch.stack([element * factor for element in x])


def mean(values):
    total = 0.0
    for value in values:
        total += value
    try:
        return total / len(values)
    except ZeroDivisionError:
        raise ValueError from None


def total(read, count):
    result = 0
    for index in range(count):
        result += read(index)
    return result
