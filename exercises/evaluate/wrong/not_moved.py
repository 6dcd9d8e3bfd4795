"""A batch was not moved to the model's device: with the model on an accelerator and the data on the host, torch refuses to
mix them.
"""

import torch


def evaluate(model, loader, loss_fn):
    modes = [(module, module.training) for module in model.modules()]
    total_loss, num_right, num_samples = 0.0, 0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                logits = model(x)  # (B, C)
                total_loss += loss_fn(logits, y).item() * len(y)
                num_right += (logits.argmax(dim=1) == y).sum().item()
                num_samples += len(y)
    finally:
        for module, training in modes:
            module.training = training
    if num_samples == 0:
        raise ValueError("the loader has no batches")
    return total_loss / num_samples, num_right / num_samples
