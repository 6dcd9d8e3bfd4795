import torch


def train(model, loader, loss_fn, optimizer, scaler, epochs, max_norm=1.0, dtype=torch.bfloat16):
    device_type = next(model.parameters()).device.type
    losses, norms = [], []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            with torch.autocast(device_type, dtype=dtype):
                outputs = model(x)
            loss = loss_fn(outputs.float(), y)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
            norms.append(norm.item())
    return losses, norms
