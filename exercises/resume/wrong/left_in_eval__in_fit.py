"""`fit` switches when it goes on."""

import os
from pathlib import Path
from types import SimpleNamespace

import torch
from torch import Tensor, nn


def save_checkpoint(path, *, model: nn.Module, optimizer, scheduler, generator: torch.Generator, epoch: int) -> None:
    path = Path(os.fspath(path))
    new, previous = Path(f"{path}.tmp"), Path(f"{path}.previous")
    torch.save(
        [
            ["epoch", epoch],
            ["model", dict(model.state_dict())],
            ["optimizer", optimizer.state_dict()],
            ["scheduler", scheduler.state_dict()],
            ["generator", generator.get_state()],
            ["torch", torch.get_rng_state()],
        ],
        new,
    )
    if path.exists():
        previous.unlink(missing_ok=True)
        os.link(path, previous)
    os.replace(new, path)


def load_checkpoint(path, *, model: nn.Module, optimizer, scheduler, generator: torch.Generator) -> int:
    got = SimpleNamespace(**dict(torch.load(path, weights_only=True)))
    model.load_state_dict(got.model)
    optimizer.load_state_dict(got.optimizer)
    scheduler.load_state_dict(got.scheduler)
    generator.set_state(got.generator)
    torch.set_rng_state(got.torch)
    return got.epoch + 1


def fit(path, *, model, optimizer, scheduler, loader, loss_fn, generator, epochs) -> list[float]:
    state = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "generator": generator}
    losses: list[float] = []
    epoch = load_checkpoint(path, **state) if Path(path).exists() else 0
    if epoch:
        model.eval()
    for current in range(epoch, epochs):
        total, samples = torch.zeros(()), 0
        for x, y in loader:
            loss: Tensor = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total, samples = total + loss.detach() * len(y), samples + len(y)
        scheduler.step()
        losses.append((total / samples).item())
        save_checkpoint(path, epoch=current, **state)
    return losses
