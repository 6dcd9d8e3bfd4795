"""The state as bytes, as `torch.save` writes it; the loop ends by its own `else`."""

import io

import numpy as np
import torch


def snapshot(model):
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    return buffer.getvalue()


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError("patience < 1")
    log = {"train_loss": [], "val_loss": []}
    best, kept = (np.inf, None), None
    bad_in_a_row = 0
    for epoch in range(max_epochs):
        log["train_loss"] += [train_epoch(model)]
        log["val_loss"] += [validate(model)]
        loss = log["val_loss"][-1]
        if np.isfinite(loss) and loss < best[0] - min_delta:
            best, kept, bad_in_a_row = (loss, epoch), snapshot(model), 0
            continue
        bad_in_a_row += 1
        if bad_in_a_row == patience:
            stopped = True
            break
    else:
        stopped = False
    if kept is not None:
        model.load_state_dict(torch.load(io.BytesIO(kept), weights_only=True))
    return {**log, "best_epoch": best[1], "stopped_early": stopped}
