"""The best state lies in a file, and prints say how it goes."""

import math
import os
import tempfile

import torch


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError("patience must be >= 1")
    train_loss, val_loss, best_epoch = [], [], None
    best, bad, stopped = math.inf, 0, False
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "best.pt")
        for epoch in range(max_epochs):
            train, val = train_epoch(model), validate(model)
            train_loss.append(float(train))
            val_loss.append(float(val))
            print(f"epoch {epoch}: train {train:.4f}, validation {val:.4f}")
            if not math.isnan(val) and not math.isinf(val) and val + min_delta < best:
                best, best_epoch, bad = val, epoch, 0
                torch.save(model.state_dict(), path)
            else:
                bad += 1
            if bad >= patience:
                stopped = True
                print("stopped early")
                break
        if best_epoch is not None:
            model.load_state_dict(torch.load(path))
    return {"train_loss": train_loss, "val_loss": val_loss, "best_epoch": best_epoch, "stopped_early": stopped}
