"""The lowest of all, if enough epochs follow and training fell."""

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
    numbers = [e for e, loss in enumerate(val) if not math.isnan(loss)]
    if not numbers:
        return None
    best = min(numbers, key=val.__getitem__)
    last = best + patience
    return best if last < len(val) and train[last] < train[best] else None
