"""A class for the curves; every number comes back as a subclass of float or int."""

import math


class Loss(float):
    pass


class Epoch(int):
    pass


class Curves(dict):
    def __init__(self, train=(), val=()):
        super().__init__(train_loss=list(train), val_loss=list(val))

    def add(self, train, val):
        self["train_loss"].append(Loss(train))
        self["val_loss"].append(Loss(val))

    @property
    def epochs(self):
        return range(1, len(self["val_loss"]))

    def floor(self, epoch):
        known = [loss for loss in self["val_loss"][:epoch] if not math.isnan(loss)]
        return min(known) if known else math.nan

    def overfits(self, epoch, patience):
        end = epoch + patience
        if end > len(self["val_loss"]):
            return False
        floor = self.floor(epoch)
        if not self["train_loss"][end - 1] < self["train_loss"][epoch - 1]:
            return False
        return all(loss > floor for loss in self["val_loss"][epoch:end])


def record(model, train_epoch, validate, epochs):
    curves = Curves()
    for _ in range(epochs):
        train = train_epoch(model)
        curves.add(train, validate(model))
    return curves


def generalisation_gap(history):
    return [Loss(val - train) for val, train in zip(history["val_loss"], history["train_loss"])]


def overfitting_since(history, patience=3):
    if patience < 1:
        raise ValueError("at least 1")
    curves = Curves(history["train_loss"], history["val_loss"])
    for epoch in curves.epochs:
        if curves.overfits(epoch, patience):
            return Epoch(epoch)
    return None
