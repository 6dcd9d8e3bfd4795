"""Thinks that epoch 0 was none."""

import contextlib
import os
import pathlib

import torch


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    path = pathlib.Path(path)
    state = (epoch, model.state_dict(), optimizer.state_dict(), scheduler.state_dict(), generator.get_state())
    with _whole(path) as file:
        torch.save({"state": state, "global": torch.default_generator.get_state()}, file)


@contextlib.contextmanager
def _whole(path):
    """A file to write to; it takes the place of `path` when all went well."""
    workshop = path.parent / ".unfinished"
    workshop.mkdir(exist_ok=True)
    new = workshop / f"{path.name}-{os.getpid()}"
    new.unlink(missing_ok=True)
    with new.open("xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    with open(path, "rb") as file:
        content = torch.load(file, weights_only=True)
    epoch, *states, order = content["state"]
    for target, state in zip([model, optimizer, scheduler], states):
        target.load_state_dict(state)
    generator.set_state(order)
    torch.default_generator.set_state(content["global"])
    return epoch


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    everything = dict(model=model, optimizer=optimizer, scheduler=scheduler, generator=generator)
    first_epoch = 0
    with contextlib.suppress(FileNotFoundError):
        first_epoch = load_checkpoint(path, **everything)
    means = []
    for epoch in range(first_epoch, epochs):
        weighted = []
        for x, y in loader:

            def closure():
                optimizer.zero_grad()
                loss = loss_fn(model(x), y)
                loss.backward()
                return loss

            weighted.append((float(optimizer.step(closure)), len(y)))
        scheduler.step()
        save_checkpoint(path, epoch=epoch, **everything)
        means.append(sum(loss * n for loss, n in weighted) / sum(n for _, n in weighted))
    return means
