"""Clears once an epoch."""

import os
import tempfile
from pathlib import Path

import torch


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    path = Path(path)
    state = dict(
        model=model.state_dict(),
        optimizer=optimizer.state_dict(),
        scheduler=scheduler.state_dict(),
        generator=generator.get_state(),
        rng=torch.random.get_rng_state(),
        epoch=epoch,
    )
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as tmp:
        torch.save(state, tmp)
    os.replace(tmp.name, path)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    state = torch.load(path, map_location="cpu", weights_only=True)
    torch.random.set_rng_state(state["rng"])
    generator.set_state(state["generator"])
    scheduler.load_state_dict(state["scheduler"])
    optimizer.load_state_dict(state["optimizer"])
    model.load_state_dict(state["model"])
    return 1 + state["epoch"]


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    kept = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "generator": generator}
    try:
        epoch = load_checkpoint(path, **kept)
    except FileNotFoundError:
        epoch = 0
    history = []
    while epoch < epochs:
        losses, sizes = [], []
        optimizer.zero_grad()
        for x, y in loader:
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
            sizes.append(len(x))
        history.append(sum(l.item() * n for l, n in zip(losses, sizes)) / sum(sizes))
        scheduler.step()
        save_checkpoint(path, epoch=epoch, **kept)
        epoch += 1
    return history
