"""In its own functions the scheduler is missing."""

import glob
import io
import os

import torch


def _pack(model, optimizer, scheduler, generator, epoch):
    buffer = io.BytesIO()
    states = {"model": model, "optimizer": optimizer}
    content = {name: part.state_dict() for name, part in states.items()}
    content |= {"epoch": epoch, "order": generator.get_state(), "masks": torch.get_rng_state()}
    torch.save(content, buffer)
    return buffer.getbuffer()


def _write(path, data):
    path = os.fspath(path)
    for old in glob.glob(glob.escape(path) + ".part*"):
        os.unlink(old)
    part = f"{path}.part{os.getpid()}"
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(part, path)


def _unpack(path, model, optimizer, scheduler, generator):
    with open(path, "rb") as file:
        content = torch.load(io.BytesIO(file.read()), weights_only=True)
    model.load_state_dict(content["model"])
    optimizer.load_state_dict(content["optimizer"])
    generator.set_state(content["order"])
    torch.set_rng_state(content["masks"])
    return content["epoch"]


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    _write(path, _pack(model, optimizer, scheduler, generator, epoch))


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    return _unpack(path, model, optimizer, scheduler, generator) + 1


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    last = _unpack(path, model, optimizer, scheduler, generator) if os.path.exists(path) else -1
    losses = []
    for epoch in range(epochs)[last + 1 :]:
        running = []
        for batch in loader:
            x, y = batch
            optimizer.zero_grad(set_to_none=True)
            output = model(x)
            loss = loss_fn(output, y)
            loss.backward()
            optimizer.step()
            running += [loss.item()] * len(y)
        scheduler.step()
        losses.append(sum(running) / len(running))
        _write(path, _pack(model, optimizer, scheduler, generator, epoch))
    return losses
