"""The gradients are never cleared any more: every step follows the sum of all batches so far."""

import torch


def train(model, loader, loss_fn, epochs, lr=0.01, dtype=torch.bfloat16):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    device_type = next(model.parameters()).device.type
    model.train()
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            with torch.autocast(device_type, dtype=dtype):
                outputs = model(x)
            loss = loss_fn(outputs.float(), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    return history
