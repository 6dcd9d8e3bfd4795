"""A rate factor as a function of the epoch."""

import math

import torch


def train(model, loader, loss_fn, optimizer, epochs):
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda epoch: (1 + math.cos(math.pi * min(epoch, epochs) / epochs)) / 2
    )
    history = {"loss": [], "rate": []}
    model.train()
    for _ in range(epochs):
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
        scheduler.step()
    return history
