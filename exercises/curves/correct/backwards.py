"""From the last epoch to the first, remembering the earliest; callbacks called by name."""

import math


def record(model, train_epoch, validate, epochs):
    train_loss, val_loss = [None] * epochs, [None] * epochs
    for i in range(epochs):
        train_loss[i], val_loss[i] = train_epoch(model=model), validate(model=model)
    return {"val_loss": val_loss, "train_loss": train_loss}


def generalisation_gap(history):
    train, val = history["train_loss"], history["val_loss"]
    return [-(t - v) for t, v in zip(train, val)]


def overfitting_since(history, patience=3):
    if patience < 1:
        raise ValueError("?")
    train, val = list(history["train_loss"]), list(history["val_loss"])
    answer = None
    for first in reversed(range(1, len(val) + 1 - patience)):
        last = first + patience - 1
        before = sorted(loss for loss in val[:first] if not math.isnan(loss))
        if not before:
            continue
        ok = train[first - 1] > train[last]
        for loss in val[first : last + 1]:
            ok = ok and loss > before[0]
        if ok:
            answer = first
    return answer
