"""The forward pass is always computed in bfloat16, whatever dtype is asked for."""

import torch


def train(model, loader, loss_fn, epochs, lr=0.01, dtype=torch.bfloat16):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    device_type = next(model.parameters()).device.type
    model.train()
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            with torch.autocast(device_type, dtype=torch.bfloat16):
                outputs = model(x)
            loss = loss_fn(outputs.float(), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history.append(total / count)
    return history
