"""Keeps the state of every epoch; whether to stop is worked out from the list of losses each time."""

import copy
import math


def improvements(losses, min_delta):
    best, found = math.inf, []
    for epoch, loss in enumerate(losses):
        if -math.inf < loss < math.inf and loss < best - min_delta:
            best = loss
            found.append(epoch)
    return found


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError(f"{patience=}")
    train_loss, val_loss, states = [], [], []
    stopped_early = False
    while len(val_loss) < max_epochs and not stopped_early:
        train_loss.append(train_epoch(model))
        val_loss.append(validate(model))
        states.append(copy.deepcopy(model.state_dict()))
        last = max(improvements(val_loss, min_delta), default=-1)
        stopped_early = len(val_loss) - 1 - last == patience
    best_epoch = max(improvements(val_loss, min_delta), default=None)
    if best_epoch is not None:
        model.load_state_dict(states[best_epoch])
    return dict(train_loss=train_loss, val_loss=val_loss, best_epoch=best_epoch, stopped_early=stopped_early)
