"""The optimizer clips just before it steps; a step that is left out is measured by hand."""

import torch


def train(model, loader, loss_fn, optimizer, scaler, epochs, max_norm=1.0, dtype=torch.bfloat16):
    device_type = next(model.parameters()).device.type
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            with torch.autocast(device_type, dtype=dtype):
                outputs = model(x)
                loss = loss_fn(outputs, y)
            optimizer.zero_grad(set_to_none=False)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            norm = torch.nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
            torch.nn.utils.clip_grads_with_norm_(model.parameters(), max_norm, norm)
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
