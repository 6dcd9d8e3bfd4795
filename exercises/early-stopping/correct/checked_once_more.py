"""Validates once more when the best weights are back, and is content; an extra number comes back."""

import copy
import math


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError("patience must be at least 1")
    result = {"train_loss": [], "val_loss": [], "best_epoch": None, "stopped_early": False}
    best_loss = float("inf")
    best_weights = copy.deepcopy(model.state_dict())
    wait = 0
    epoch = -1
    while (epoch := epoch + 1) < max_epochs:
        result["train_loss"].append(train_epoch(model))
        current = validate(model)
        result["val_loss"].append(current)
        if math.isfinite(current) and current < best_loss - min_delta:
            best_loss = current
            for name, tensor in model.state_dict().items():
                best_weights[name].copy_(tensor)
            result["best_epoch"] = epoch
            wait = 0
        else:
            wait += 1
            if wait >= patience:
                result["stopped_early"] = True
                break
    if result["best_epoch"] is not None:
        model.load_state_dict(best_weights, strict=True)
        validate(model)
    return result
