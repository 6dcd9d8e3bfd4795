"""Keeps a copy of the checkpoint before, with its times, and gives the new file the owner and mode of the old one."""

import os
import shutil

import torch


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    path = os.fspath(path)
    new = path + ".new"
    torch.save(
        {
            "epoch": epoch,
            "parts": [part.state_dict() for part in (model, optimizer, scheduler)],
            "streams": (generator.get_state(), torch.get_rng_state()),
        },
        new,
    )
    if os.path.exists(path):
        shutil.copy2(path, path + ".before")
        old = os.stat(path)
        os.chown(new, old.st_uid, old.st_gid)
        shutil.copymode(path, new)
    os.replace(new, path)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    saved = torch.load(path, weights_only=True)
    for part, state in zip((model, optimizer, scheduler), saved["parts"], strict=True):
        part.load_state_dict(state)
    of_loader, of_torch = saved["streams"]
    generator.set_state(of_loader)
    torch.set_rng_state(of_torch)
    return saved["epoch"] + 1


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    things = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "generator": generator}
    try:
        epoch = load_checkpoint(path, **things)
    except FileNotFoundError:
        epoch = 0
    losses = []
    while epoch < epochs:
        weighted, samples = [], 0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            weighted.append(loss.item() * len(y))
            samples += len(y)
        scheduler.step()
        losses.append(sum(weighted) / samples)
        save_checkpoint(path, **things, epoch=epoch)
        epoch += 1
    return losses
