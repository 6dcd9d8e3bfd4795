import numpy
import torch


class EmptyLoader(ValueError):
    pass


def evaluate(model, loader, loss_fn):
    grad_was_enabled = torch.is_grad_enabled()
    modes = [module.training for module in model.modules()]
    losses, hits = [], []
    try:
        torch.set_grad_enabled(False)
        model.train(False)
        device = [*model.parameters()][0].device
        for batch in loader:
            x, y = [tensor.to(device=device) for tensor in batch]
            logits = model(x)
            losses.extend([loss_fn(logits, y).cpu().item()] * x.size(0))
            hits.extend((logits.softmax(-1).topk(1).indices[:, 0] == y).tolist())
    finally:
        torch.set_grad_enabled(grad_was_enabled)
        for module, mode in zip(model.modules(), modes, strict=True):
            module.training = mode
    if not hits:
        raise EmptyLoader("empty")
    return float(numpy.mean(losses)), float(numpy.mean(hits))
