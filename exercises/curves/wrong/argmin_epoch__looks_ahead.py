"""Looks ahead from each lowest epoch."""


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
    for best in range(len(val) - patience):
        lowest = not any(loss <= val[best] for loss in val[:best])
        after = val[best + 1 : best + 1 + patience]
        if lowest and all(loss > val[best] for loss in after) and train[best + patience] < train[best]:
            return best
    return None
