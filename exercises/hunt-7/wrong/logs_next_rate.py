"""The history has the rate after the scheduler's step: that is the next epoch's."""

import torch


def train(model, loader, loss_fn, optimizer, epochs):
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    history = {"loss": [], "rate": []}
    model.train()
    for _ in range(epochs):
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
        history["rate"].append(optimizer.param_groups[0]["lr"])
    return history
