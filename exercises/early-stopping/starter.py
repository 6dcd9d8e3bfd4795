def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    """Train, stop when the validation loss no longer improves, and leave the best epoch's weights in the model."""
    train_loss, val_loss = [], []
    for epoch in range(max_epochs):
        train_loss.append(train_epoch(model))
        val_loss.append(validate(model))
        ...  # is this the best epoch so far? and is it time to stop?
    ...  # which weights does the model hold now?
    return {"train_loss": train_loss, "val_loss": val_loss, "best_epoch": None, "stopped_early": False}
