"""Tensors of single precision; unfold makes the windows."""

import torch


class Patience(ValueError):
    pass


def record(model, train_epoch, validate, epochs):
    history = dict(train_loss=[], val_loss=[])
    while len(history["val_loss"]) < epochs:
        history["train_loss"] += [float(train_epoch(model))]
        history["val_loss"] += [float(validate(model))]
    return history


def generalisation_gap(history):
    return (torch.tensor(history["val_loss"]) - torch.tensor(history["train_loss"])).tolist()


def overfitting_since(history, patience=3):
    if patience < 1:
        raise Patience
    val, train = torch.tensor(history["val_loss"]), torch.tensor(history["train_loss"])  # (E,)
    if len(val) <= patience:
        return None
    lowest = torch.cummin(torch.nan_to_num(val, nan=torch.inf, posinf=torch.inf, neginf=-torch.inf), 0).values
    windows = val.unfold(0, patience, 1)[1:]  # (E - patience, patience)
    higher = (windows > lowest[: len(windows), None]).all(1)
    falling = train[patience:] < train[:-patience]
    found = torch.nonzero(higher & falling).flatten().tolist()
    return found[0] + 1 if found else None
