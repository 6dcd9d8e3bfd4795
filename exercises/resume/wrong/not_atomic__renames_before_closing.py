"""Renames while the end of the file is still in memory."""

import io
import pathlib
import uuid

import torch

FORMAT = 1


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    target = pathlib.Path(path)
    buffer = io.BytesIO()
    torch.save(
        {
            "format": FORMAT,
            "states": [part.state_dict() for part in (model, optimizer, scheduler)],
            "streams": (generator.get_state(), torch.get_rng_state()),
            "next_epoch": epoch + 1,
        },
        buffer,
    )
    fresh = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    with fresh.open("wb", buffering=2**20) as file:
        file.write(buffer.getvalue())
        fresh.replace(target)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    checkpoint = torch.load(pathlib.Path(path), weights_only=True)
    for part, state in zip((model, optimizer, scheduler), checkpoint["states"], strict=True):
        part.load_state_dict(state)
    generator.set_state(checkpoint["streams"][0])
    torch.set_rng_state(checkpoint["streams"][1])
    return checkpoint["next_epoch"]


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    parts = dict(model=model, optimizer=optimizer, scheduler=scheduler, generator=generator)
    start = load_checkpoint(path, **parts) if pathlib.Path(path).exists() else 0
    return [_epoch(path, parts, loader, loss_fn, epoch) for epoch in range(start, epochs)]


def _epoch(path, parts, loader, loss_fn, epoch):
    model, optimizer = parts["model"], parts["optimizer"]
    model.train()
    total = torch.zeros((), dtype=torch.float64)
    count = 0
    for x, y in loader:
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach().double() * y.shape[0]
        count += y.shape[0]
    parts["scheduler"].step()
    save_checkpoint(path, **parts, epoch=epoch)
    return float(total / count)
