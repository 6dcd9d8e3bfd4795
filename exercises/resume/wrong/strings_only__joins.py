"""Joins strings."""

import os
import random

import numpy as np
import torch


def _streams():
    kind, keys, position, has_gauss, cached = np.random.get_state()
    return {
        "python": random.getstate(),
        "numpy": [kind, keys.tolist(), position, has_gauss, cached],
        "torch": torch.get_rng_state().tolist(),
    }


def _set_streams(streams):
    random.setstate(streams["python"])
    kind, keys, *rest = streams["numpy"]
    np.random.set_state((kind, np.array(keys, dtype=np.uint32), *rest))
    torch.set_rng_state(torch.tensor(streams["torch"], dtype=torch.uint8))


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    tmp = path + "~"
    checkpoint = {
        "model": {name: tensor.clone() for name, tensor in model.state_dict().items()},
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "generator": generator.get_state().clone(),
        "streams": _streams(),
        "finished": torch.tensor(epoch),
    }
    torch.save(checkpoint, tmp)
    os.rename(tmp, path)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    if not os.path.isfile(path):
        raise FileNotFoundError(f"no checkpoint at {path}")
    checkpoint = torch.load(path, weights_only=False)
    model.load_state_dict(checkpoint["model"], strict=True)
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    generator.set_state(checkpoint["generator"])
    _set_streams(checkpoint["streams"])
    return int(checkpoint["finished"].item()) + 1


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    things = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "generator": generator}
    start = 0
    if os.path.isfile(path):
        start = load_checkpoint(path, **things)
        print(f"going on with epoch {start}")
    losses = []
    for epoch in range(start, epochs):
        seen, summed = 0, 0.0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            summed += float(loss) * x.size(0)
            seen += x.size(0)
        losses.append(summed / seen)
        scheduler.step()
        save_checkpoint(path, epoch=epoch, **things)
        print(f"epoch {epoch}: {losses[-1]:.4f}")
    return losses
