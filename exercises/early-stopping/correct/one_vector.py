"""Parameters in one long vector, buffers beside it; losses go through numpy."""

import numpy
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise ValueError("patience must be positive")
    losses = numpy.full((2, max_epochs), numpy.nan)
    best, best_epoch, vector, buffers, run = numpy.inf, None, None, None, 0
    count = 0
    for epoch in range(max_epochs):
        losses[:, epoch] = train_epoch(model), validate(model)
        count = epoch + 1
        if numpy.isfinite(losses[1, epoch]) and losses[1, epoch] < best - min_delta:
            best, best_epoch, run = losses[1, epoch], epoch, 0
            vector = parameters_to_vector(model.parameters()).detach().clone()
            buffers = [buffer.clone() for buffer in model.buffers()]
        else:
            run += 1
        if run == patience:
            break
    if vector is not None:
        vector_to_parameters(vector, model.parameters())
        with torch.no_grad():
            for buffer, kept in zip(model.buffers(), buffers, strict=True):
                buffer.copy_(kept)
    train_loss, val_loss = losses[:, :count].tolist()
    return {"train_loss": train_loss, "val_loss": val_loss, "best_epoch": best_epoch, "stopped_early": run == patience}
