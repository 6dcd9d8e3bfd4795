import torch
from torch.func import functional_call


def evaluate(model, loader, loss_fn):
    """Runs the model with detached parameters and autograd off, flags put back one after the other."""
    state = {name: tensor.detach() for name, tensor in [*model.named_parameters(), *model.named_buffers()]}
    device = next(iter(state.values())).device
    flagged = []
    iterator = iter(loader)
    total, right, n = 0, 0, 0
    try:
        for module in model.modules():
            flagged.append((module, module.training))
            module.training = False
        while True:
            with torch.set_grad_enabled(False):
                try:
                    x, y = next(iterator)
                except StopIteration:
                    break
                y = y.to(device)
                logits = functional_call(model, state, (x.to(device),))
                total += loss_fn(logits, y).item() * len(logits)
                right += int((torch.argmax(logits, 1) == y).sum())
                n += len(logits)
    finally:
        while flagged:
            module, flag = flagged.pop()
            module.training = flag
    if n == 0:
        raise ValueError(loader)
    return total / n, right / n
