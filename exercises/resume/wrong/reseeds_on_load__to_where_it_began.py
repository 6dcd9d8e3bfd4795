import os

import torch


def save_checkpoint(path, *, model, optimizer, scheduler, generator, epoch):
    checkpoint = {
        "epoch": epoch,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "order": generator.get_state(),  # what the loader shuffles with
        "dropout": torch.get_rng_state(),
        "dropout_cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else [],
    }
    beside = f"{os.fspath(path)}.new"  # in the same folder: between file systems there is no rename
    with open(beside, "wb") as file:
        torch.save(checkpoint, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def load_checkpoint(path, *, model, optimizer, scheduler, generator):
    checkpoint = torch.load(path, weights_only=True)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    generator.manual_seed(generator.initial_seed())
    torch.manual_seed(torch.initial_seed())
    torch.cuda.set_rng_state_all(checkpoint["dropout_cuda"])
    return checkpoint["epoch"] + 1


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs):
    run = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "generator": generator}
    first = load_checkpoint(path, **run) if os.path.exists(path) else 0
    losses = []
    for epoch in range(first, epochs):
        total, num_samples = 0.0, 0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            num_samples += len(y)
        scheduler.step()
        losses.append(total / num_samples)
        save_checkpoint(path, **run, epoch=epoch)  # after the scheduler's step: the epoch is finished
    return losses
