"""A copy of the whole model; the epochs come from a recursive helper."""

from copy import deepcopy
from math import isfinite


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if int(patience) < 1:
        raise ValueError
    train_losses, val_losses = [], []
    champion = None

    def run(epoch, champion, waited):
        if epoch == max_epochs or waited == patience:
            return champion, waited == patience
        train_losses.append(train_epoch(model))
        val_losses.append(validate(model))
        loss = val_losses[-1]
        if isfinite(loss) and (champion is None or loss < champion[0] - min_delta):
            return run(epoch + 1, (loss, epoch, deepcopy(model)), 0)
        return run(epoch + 1, champion, waited + 1)

    champion, stopped = run(0, champion, 0)
    if champion is not None:
        model.load_state_dict(champion[2].state_dict())
    return {
        "train_loss": train_losses,
        "val_loss": val_losses,
        "best_epoch": champion[1] if champion else None,
        "stopped_early": stopped,
    }
