"""Arrays; comparisons with NaN are false by themselves. The epochs are recorded too."""

import numpy as np


def record(model, train_epoch, validate, epochs):
    losses = np.zeros((epochs, 2))
    for epoch in range(epochs):
        losses[epoch, 0] = train_epoch(model)
        losses[epoch, 1] = validate(model)
    return {"epoch": list(range(epochs)), "train_loss": losses[:, 0].tolist(), "val_loss": losses[:, 1].tolist()}


def generalisation_gap(history):
    return np.subtract(history["val_loss"], history["train_loss"]).tolist()


def overfitting_since(history, patience=3):
    if patience < 1:
        raise ValueError(patience)
    train = np.asarray(history["train_loss"], dtype=float)
    val = np.asarray(history["val_loss"], dtype=float)
    for e in range(1, val.size - patience + 1):
        lowest = np.fmin.reduce(val[:e])
        if (val[e : e + patience] > lowest).all() and train[e + patience - 1] < train[e - 1]:
            return int(e)
    return None
