"""Greater."""

import math

import torch


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if not patience >= 1:
        raise ValueError("patience has to be at least 1")
    train_losses, val_losses = [], []
    best, best_epoch, saved = float("inf"), -1, []
    stopped = False
    epoch = 0
    while epoch < max_epochs and not stopped:
        train_losses += [train_epoch(model)]
        loss = validate(model)
        val_losses += [loss]
        if loss < best - min_delta and loss > -math.inf:
            best, best_epoch = loss, epoch
            saved = [tensor.clone() for tensor in model.state_dict().values()]
        stopped = epoch - best_epoch > patience
        epoch += 1
    with torch.no_grad():
        for tensor, kept in zip(model.state_dict().values(), saved):
            tensor.copy_(kept)
    return dict(
        train_loss=train_losses,
        val_loss=val_losses,
        best_epoch=best_epoch if best_epoch >= 0 else None,
        stopped_early=stopped,
    )
