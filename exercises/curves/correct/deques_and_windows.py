"""Sliding windows made by zip; the lowest so far is accumulated; ordinary functions with other names behind them."""

import itertools
import math


def _lower(best, loss):
    return best if math.isnan(loss) else min(best, loss)


def record(model, train_epoch, validate, epochs):
    pairs = [(train_epoch(model), validate(model)) for _ in range(epochs)]
    return {"train_loss": [pair[0] for pair in pairs], "val_loss": [pair[1] for pair in pairs]}


def generalisation_gap(history):
    return [a - b for a, b in zip(history["val_loss"], history["train_loss"])]


def overfitting_since(history, patience=3):
    if patience < 1:
        raise ValueError("patience must be at least 1")
    val = history["val_loss"]
    lowest_before = list(itertools.accumulate(val, _lower, initial=math.inf))
    windows = zip(*(val[shift:] for shift in range(patience)))
    for start, window in enumerate(windows):
        if start == 0:
            continue
        falling = history["train_loss"][start + patience - 1] < history["train_loss"][start - 1]
        if falling and min(window) > lowest_before[start] and not any(map(math.isnan, window)):
            return start
