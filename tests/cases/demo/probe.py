"""Calls the three functions and returns what came of it."""

from judge.kit import raised


def scale(solution, x, factor):
    result = solution.scale(x, factor)
    return {"result": result, "x": x}


def mean(solution, values):
    return solution.mean(values)


def mean_of_nothing(solution):
    return raised(lambda: solution.mean([]))


def total(solution, items):
    """What `total` returns, and in which order it read."""
    events = []

    def read(index):
        if len(events) < 100:
            events.append(index)
        return items[index]

    return {"result": solution.total(read, len(items)), "events": events}
