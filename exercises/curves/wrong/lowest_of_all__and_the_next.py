"""The epoch after the lowest of all."""


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
    if all(loss != loss for loss in val):
        return None
    lowest = min((loss, epoch) for epoch, loss in enumerate(val) if loss == loss)[1]
    return lowest + 1 if lowest + 1 < len(val) else None
