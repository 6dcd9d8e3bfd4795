"""Only those that are trained."""

import math


class Best:
    def __init__(self, patience, min_delta):
        if patience < 1:
            raise ValueError("patience")
        self.patience, self.min_delta = patience, min_delta
        self.loss, self.epoch, self.state, self.waited = None, None, None, 0

    def better(self, loss):
        if not math.isfinite(loss):
            return False
        return self.loss is None or self.loss - loss > self.min_delta

    def see(self, epoch, loss, model):
        if self.better(loss):
            self.loss, self.epoch = loss, epoch
            self.state = {
                name: tensor.detach().clone() for name, tensor in model.named_parameters() if tensor.requires_grad
            }
            self.waited = 0
        else:
            self.waited += 1
        return self.waited >= self.patience


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    best = Best(patience, min_delta)
    history = {"train_loss": [], "val_loss": [], "best_epoch": None, "stopped_early": False}
    for epoch in range(max_epochs):
        history["train_loss"].append(train_epoch(model))
        loss = validate(model)
        history["val_loss"].append(loss)
        if best.see(epoch, loss, model):
            history["stopped_early"] = True
            break
    if best.state is not None:
        model.load_state_dict(best.state, strict=False)
    history["best_epoch"] = best.epoch
    return history
