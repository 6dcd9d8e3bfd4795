"""The step comes when the loss has been handed out."""

import os
import shutil
import tempfile

import torch


def _named(model, optimizer, scheduler):
    return (("model", model), ("optimizer", optimizer), ("scheduler", scheduler))


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    data = {name: part.state_dict() for name, part in _named(model, optimizer, scheduler)}
    data.update(epoch=epoch, generator=generator.get_state(), rng=torch.get_rng_state())
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.TemporaryDirectory(dir=folder) as workshop:
        new = os.path.join(workshop, "new")
        torch.save(data, new, _use_new_zipfile_serialization=False)
        shutil.move(new, path)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    data = torch.load(path, weights_only=True)
    for name, part in _named(model, optimizer, scheduler):
        part.load_state_dict(data[name])
    generator.set_state(data["generator"])
    torch.set_rng_state(data["rng"])
    return data["epoch"] + 1


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    return list(_run(path, model, optimizer, scheduler, loader, loss_fn, generator, epochs))


def _run(path, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "generator": generator}
    begin = load_checkpoint(path, **parts) if os.path.lexists(path) else 0
    for epoch in range(begin, epochs):
        mean = seen = 0
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            seen += len(y)
            mean += (loss.item() - mean) * len(y) / seen
        save_checkpoint(path, **parts, epoch=epoch)
        yield mean
        scheduler.step()
