"""Generators and `next` with a default."""

from math import inf, isnan


def record(model, train_epoch, validate, epochs):
    def run():
        for _ in range(epochs):
            yield train_epoch(model)
            yield validate(model)

    losses = list(run())
    return {"train_loss": losses[::2], "val_loss": losses[1::2]}


def generalisation_gap(history):
    return list(map(float.__sub__, map(float, history["val_loss"]), map(float, history["train_loss"])))


def candidates(train, val, patience):
    for e in range(1, len(val)):
        floor = min((loss for loss in val[:e] if not isnan(loss)), default=inf)
        window = val[e : e + patience]
        yield e, len(window) == patience and all(loss > floor for loss in window) and train[e + patience - 1] < train[e - 1]


def overfitting_since(history, patience=3):
    if patience <= 0:
        raise ValueError(f"patience={patience}")
    return next((e for e, yes in candidates(history["train_loss"], history["val_loss"], patience) if yes), None)
