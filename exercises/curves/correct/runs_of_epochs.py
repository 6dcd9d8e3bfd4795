"""Two loops and nothing else; prints what it finds."""

from collections import defaultdict


def record(model, train_epoch, validate, epochs):
    history = defaultdict(list)
    for epoch in range(epochs):
        history["train_loss"].append(train_epoch(model))
        history["val_loss"].append(validate(model))
        print(epoch, history["train_loss"][-1], history["val_loss"][-1])
    return history


def generalisation_gap(history):
    gap = []
    for epoch in range(len(history["val_loss"])):
        gap.append(history["val_loss"][epoch] - history["train_loss"][epoch])
    return gap


def overfitting_since(history, patience=3):
    if not patience >= 1:
        raise ValueError("patience below 1")
    train, val = history["train_loss"], history["val_loss"]
    epoch = 1
    while epoch + patience <= len(val):
        lowest = None
        for loss in val[:epoch]:
            if loss == loss and (lowest is None or loss < lowest):
                lowest = loss
        higher = 0
        for loss in val[epoch : epoch + patience]:
            if lowest is not None and loss > lowest:
                higher += 1
        if higher == patience and train[epoch + patience - 1] < train[epoch - 1]:
            print("overfitting since", epoch)
            return epoch
        epoch += 1
    return None
