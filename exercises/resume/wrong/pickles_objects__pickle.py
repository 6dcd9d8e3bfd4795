"""Python's pickle in place of torch.save."""

import pickle
import pathlib
import uuid

import torch

FORMAT = 1


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    target = pathlib.Path(path)
    data = pickle.dumps(
        {
            "format": FORMAT,
            "states": [part.state_dict() for part in (model, optimizer, scheduler)],
            "streams": (generator.get_state(), torch.get_rng_state()),
            "next_epoch": epoch + 1,
        },
    )
    fresh = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    fresh.write_bytes(data)
    fresh.replace(target)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    checkpoint = pickle.loads(pathlib.Path(path).read_bytes())
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
