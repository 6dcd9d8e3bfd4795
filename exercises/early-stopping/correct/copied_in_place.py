"""Parameters and buffers by hand, into tensors made once; written back in place, without `load_state_dict`."""

import math

import torch


def tensors(model):
    yield from model.parameters()
    yield from model.buffers()


@torch.no_grad()
def copy_all(sources, targets):
    for source, target in zip(sources, targets):
        target.copy_(source)


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError("no patience")
    kept = [torch.empty_like(tensor) for tensor in tensors(model)]
    best_epoch, best_loss, countdown = None, math.inf, patience
    train_loss, val_loss = [], []
    for epoch in range(max_epochs):
        train_loss.append(train_epoch(model))
        loss = validate(model)
        val_loss.append(loss)
        countdown -= 1
        if abs(loss) < math.inf and best_loss - loss > min_delta:
            copy_all(tensors(model), kept)
            best_epoch, best_loss, countdown = epoch, loss, patience
        if countdown == 0:
            break
    if best_epoch is not None:
        copy_all(kept, tensors(model))
    return {
        "train_loss": train_loss,
        "val_loss": val_loss,
        "best_epoch": best_epoch,
        "stopped_early": countdown == 0,
    }
