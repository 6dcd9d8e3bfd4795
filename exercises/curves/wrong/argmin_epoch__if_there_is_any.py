"""The lowest of all, where there is overfitting."""

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
    lowest = math.inf  # before epoch e; nothing is higher than infinity
    for e in range(1, len(val) - patience + 1):
        if val[e - 1] < lowest:  # never so for NaN
            lowest = val[e - 1]
        last = e + patience - 1
        if all(loss > lowest for loss in val[e : last + 1]) and train[last] < train[e - 1]:
            return min((e for e in range(len(val)) if not math.isnan(val[e])), key=val.__getitem__)
    return None
