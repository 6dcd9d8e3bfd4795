"""What came back belongs to the first batch alone: `return` ended the loop before the others were read."""

import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(module, module.training) for module in model.modules()]
    total_loss, num_right, num_samples = 0.0, 0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device)
                logits = model(x)  # (B, C)
                total_loss += loss_fn(logits, y).item() * len(y)
                num_right += (logits.argmax(dim=1) == y).sum().item()
                num_samples += len(y)
                return total_loss / num_samples, num_right / num_samples
    finally:
        for module, training in modes:
            module.training = training
    raise ValueError("the loader has no batches")
