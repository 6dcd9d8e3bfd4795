"""Nothing but the weights, not even the epoch."""

import os

import torch


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    torch.save(model.state_dict(), f"{os.fspath(path)}.tmp")
    os.replace(f"{os.fspath(path)}.tmp", path)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    model.load_state_dict(torch.load(path, weights_only=True))
    return 0


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    parts = dict(model=model, optimizer=optimizer, scheduler=scheduler, generator=generator)
    start = load_checkpoint(path, **parts) if os.path.exists(path) else 0
    losses = []
    for epoch in range(start, epochs):
        total = count = 0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        scheduler.step()
        losses.append(total / count)
        save_checkpoint(path, **parts, epoch=epoch)
    return losses
