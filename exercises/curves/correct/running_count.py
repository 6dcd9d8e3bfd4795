"""A count of good starts: each start is given up as soon as one of its epochs is not higher."""

import math


def record(model, train_epoch, validate, epochs):
    out = {"train_loss": [], "val_loss": []}
    for _ in range(epochs):
        for key, function in (("train_loss", train_epoch), ("val_loss", validate)):
            out[key].append(function(model))
    return out


def generalisation_gap(history):
    return [history["val_loss"][i] - loss for i, loss in enumerate(history["train_loss"])]


def overfitting_since(history, patience=3):
    if patience < 1:
        raise ValueError("no")
    starts = {}  # epoch: the lowest before it
    lowest = math.inf
    for epoch, (train, val) in enumerate(zip(history["train_loss"], history["val_loss"])):
        if epoch:
            starts[epoch] = lowest
        starts = {start: low for start, low in starts.items() if val > low}
        start = epoch - patience + 1
        if start in starts and train < history["train_loss"][start - 1]:
            return start
        lowest = min(lowest, math.inf if math.isnan(val) else val)
    return None
