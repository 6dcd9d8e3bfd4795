import functools

import torch


def _measure(model, device, loss_fn, batch):
    x, y = batch
    y = y.to(device)
    logits = model(x.to(device)).t()  # (C, B)
    return loss_fn(logits.t(), y).double() * y.numel(), (logits.argmax(0) == y).sum()


def evaluate(model, loader, loss_fn):
    total = sum(y.shape[0] for _, y in loader)
    if not total:
        raise ValueError("the loader is empty")
    with _Evaluating(model), torch.no_grad():
        measure = functools.partial(_measure, model, next(model.parameters()).device, loss_fn)
        losses, right = zip(*map(measure, loader), strict=True)
        loss, accuracy = sum(losses) / total, sum(right) / total
    return loss.item(), accuracy.item()


class _Evaluating:
    def __init__(self, model):
        self.model = model
        self.flags = {module: module.training for module in model.modules()}

    def __enter__(self):
        return self.model.eval()

    def __exit__(self, *error):
        for module, flag in self.flags.items():
            module.training = flag
        return False
