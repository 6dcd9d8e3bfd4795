"""Clones become the model's `.data`; the counter is the distance from the best epoch; a `try` around it all."""

import math


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError("patience")
    train_loss, val_loss = list(), list()
    best_epoch, saved = None, {}
    try:
        for epoch in range(max_epochs):
            train_loss.append(train_epoch(model=model))
            val_loss.append(validate(model=model))
            loss = val_loss[epoch]
            better = math.isfinite(loss) and (best_epoch is None or loss < val_loss[best_epoch] - min_delta)
            if better:
                best_epoch = epoch
                saved = {name: tensor.data.clone() for name, tensor in model.state_dict(keep_vars=True).items()}
            since = epoch - (-1 if best_epoch is None else best_epoch)
            if since == patience:
                return {"train_loss": train_loss, "val_loss": val_loss, "best_epoch": best_epoch, "stopped_early": True}
        return {"train_loss": train_loss, "val_loss": val_loss, "best_epoch": best_epoch, "stopped_early": False}
    finally:
        now = model.state_dict(keep_vars=True)
        for name, tensor in saved.items():
            now[name].data = tensor
