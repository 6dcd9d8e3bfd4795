"""An object that watches; tensors are cloned one by one; what comes back is a subclass of dict."""

import math
from collections import defaultdict


class BestSoFar:
    def __init__(self, min_delta):
        self.min_delta = min_delta
        self.loss = None
        self.epoch = None
        self.state = None

    def offer(self, epoch, loss, model):
        if not math.isfinite(loss) or (self.loss is not None and not self.loss - loss > self.min_delta):
            return False
        self.loss, self.epoch = loss, epoch
        self.state = {name: tensor.detach().cpu().clone() for name, tensor in model.state_dict().items()}
        return True

    def give_back(self, model):
        if self.state:
            model.load_state_dict(self.state)


class BadPatience(ValueError):
    pass


def fit(model, train_epoch, validate, max_epochs, patience=3, min_delta=0.0):
    if patience < 1:
        raise BadPatience(patience)
    best, waited = BestSoFar(min_delta), 0
    history = defaultdict(list, best_epoch=None, stopped_early=False)
    for epoch in range(max_epochs):
        history["train_loss"].append(train_epoch(model))
        history["val_loss"].append(validate(model))
        waited = 0 if best.offer(epoch, history["val_loss"][-1], model) else waited + 1
        if waited >= patience:
            history["stopped_early"] = True
            break
    best.give_back(model)
    history["best_epoch"] = best.epoch
    return history
