"""Every epoch's checkpoint is a file of its own; `path` is a link that is exchanged as a whole."""

import os

import torch


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    path = os.path.abspath(os.fspath(path))
    version = f"{path}.{epoch}.{os.urandom(4).hex()}"
    torch.save(
        {
            "m": model.state_dict(),
            "o": optimizer.state_dict(),
            "s": scheduler.state_dict(),
            "g": generator.get_state(),
            "r": torch.get_rng_state(),
            "e": epoch,
        },
        version,
    )
    link = version + ".link"
    os.symlink(version, link)
    old = os.path.realpath(path) if os.path.islink(path) else None
    os.replace(link, path)
    if old is not None:
        os.remove(old)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    saved = torch.load(os.fspath(path))
    model.load_state_dict(saved["m"])
    optimizer.load_state_dict(saved["o"])
    scheduler.load_state_dict(saved["s"])
    generator.set_state(saved["g"])
    torch.set_rng_state(saved["r"])
    return saved["e"] + 1


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    done = load_checkpoint(path, model=model, optimizer=optimizer, scheduler=scheduler, generator=generator) if (
        os.path.exists(path)
    ) else 0
    losses = []
    for epoch in range(done, epochs):
        sums = torch.zeros(2)
        for x, y in loader:
            loss = loss_fn(model(x), y)
            model.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.tensor([loss.item() * len(y), len(y)])
        scheduler.step()
        losses.append((sums[0] / sums[1]).item())
        save_checkpoint(
            path, model=model, optimizer=optimizer, scheduler=scheduler, generator=generator, epoch=epoch
        )
    return losses
