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
    for module, training in modes:
        module.training = training
    if num_samples == 0:
        raise ValueError("the loader has no batches")
    return total_loss / num_samples, num_right / num_samples
