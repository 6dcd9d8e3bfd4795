import torch


@torch.inference_mode()
def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    was = {name: module.training for name, module in model.named_modules()}
    sums = torch.zeros(3, dtype=torch.float64, device=device)  # losses, right answers, samples
    model.eval()
    try:
        for inputs, labels in loader:
            inputs, labels = inputs.to(device, non_blocking=True), labels.to(device, non_blocking=True)
            scores = model(inputs)  # (B, C)
            sums[0] += loss_fn(scores, labels) * labels.numel()
            sums[1] += scores.max(-1).indices.eq(labels).sum()
            sums[2] += labels.shape[0]
    finally:
        for name, module in model.named_modules():
            module.train(was[name])
    loss, right, samples = sums.tolist()
    if not samples:
        raise ValueError
    return loss / samples, right / samples
