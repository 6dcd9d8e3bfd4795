"""Sets the rates by hand at the start of each epoch."""

import math


def train(model, loader, loss_fn, optimizer, epochs):
    rates = [group["lr"] for group in optimizer.param_groups]
    history = {"loss": [], "rate": []}
    model.train()
    for epoch in range(epochs):
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * (1 + math.cos(math.pi * epoch / epochs)) / 2
        history["rate"].append(optimizer.param_groups[0]["lr"])
        total, count = 0.0, 0
        for x, y in loader:
            outputs = model(x)
            loss = loss_fn(outputs, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        history["loss"].append(total / count)
    return history
