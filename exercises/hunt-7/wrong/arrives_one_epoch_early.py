"""The cosine arrives one epoch early: the last epoch has a rate of zero."""

import torch


def train(model, loader, loss_fn, optimizer, epochs):
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=max(1, epochs - 1))
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
