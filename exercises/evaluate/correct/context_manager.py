import contextlib
from typing import NamedTuple

import torch


class Measured(NamedTuple):
    loss: float
    accuracy: float


@contextlib.contextmanager
def measuring(model):
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.eval()
        for module in training:
            module.training = True


def evaluate(model, loader, loss_fn):
    count, mean_loss, accuracy = 0, 0.0, 0.0  # running means
    with measuring(model):
        for x, y in loader:
            x, y = (tensor.to(next(model.parameters()).device) for tensor in (x, y))
            logits = model(x)
            count += len(y)
            mean_loss += (loss_fn(logits, y).item() - mean_loss) * len(y) / count
            accuracy += ((logits.argmax(1) == y).sum().item() / len(y) - accuracy) * len(y) / count
    if count < 1:
        raise ValueError("There is nothing to evaluate.")
    print("loss", mean_loss, "accuracy", accuracy)
    return Measured(mean_loss, accuracy)
