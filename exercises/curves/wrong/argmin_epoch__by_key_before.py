"""The lowest before, NaN as Python compares it."""

import numpy as np


def record(model, train_epoch, validate, epochs):
    train_losses, val_losses = [], []
    for epoch in range(epochs):
        train_loss = train_epoch(model)
        val_loss = validate(model)
        train_losses.append(train_loss)
        val_losses.append(val_loss)
    return {"train_loss": train_losses, "val_loss": val_losses}


def generalisation_gap(history):
    return (np.array(history["val_loss"]) - np.array(history["train_loss"])).tolist()


def overfitting_since(history, patience=3):
    if patience < 1:
        raise ValueError("patience")
    train, val = history["train_loss"], history["val_loss"]
    n = len(val)
    for e in range(1, n):
        end = e + patience
        if end > n:
            break
        before = [v for v in val[:e] if v == v]
        if not before:
            continue
        lowest = min(before)
        window = val[e:end]
        higher = [v > lowest for v in window]
        falling = train[end - 1] < train[e - 1]
        if all(higher) and falling:
            return min(range(e), key=lambda i: val[i])
    return None
