"""Rises in a row are counted, and the count begins anew where training did not fall."""


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
    rises = 0
    for epoch in range(1, len(val)):
        rises = rises + 1 if val[epoch] > val[epoch - 1] else 0
        if rises == patience:
            if train[epoch] < train[epoch - patience]:
                return epoch - patience + 1
            rises = 0
    return None
