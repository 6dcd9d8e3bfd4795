"""A lowest loss of 0.0 was taken for none: in Python zero counts as false. Ask `is None` where a number may be missing."""

import math


def record(model, train_epoch, validate, epochs):
    history = {"train_loss": [], "val_loss": []}
    for _ in range(epochs):
        history["train_loss"].append(train_epoch(model))
        history["val_loss"].append(validate(model))
    return history


def generalisation_gap(history):
    return [val - train for train, val in zip(history["train_loss"], history["val_loss"], strict=True)]


def overfitting_since(history, patience=3):
    if patience < 1:
        raise ValueError(f"patience must be at least 1, not {patience}")
    train, val = history["train_loss"], history["val_loss"]
    lowest = None  # before epoch e
    for e in range(1, len(val) - patience + 1):
        if not math.isnan(val[e - 1]) and (lowest is None or val[e - 1] < lowest):
            lowest = val[e - 1]
        last = e + patience - 1
        if lowest and all(loss > lowest for loss in val[e : last + 1]) and train[last] < train[e - 1]:
            return e
    return None
