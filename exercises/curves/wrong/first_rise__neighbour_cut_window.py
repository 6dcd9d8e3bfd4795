"""Higher than the one before; training is looked at as far as it goes."""


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
    for e in range(1, len(val)):
        last = min(e + patience, len(val)) - 1
        if val[e] > val[e - 1] and train[last] < train[e - 1]:
            return e
    return None
