def record(model, train_epoch, validate, epochs):
    """Train and validate `epochs` times; return both losses of every epoch."""
    return {"train_loss": [], "val_loss": []}


def generalisation_gap(history):
    """How much higher the validation loss is than the training loss, epoch by epoch."""
    return []


def overfitting_since(history, patience=3):
    """The first epoch from which validation stays above its lowest while training still falls; None if there is none."""
    return None
