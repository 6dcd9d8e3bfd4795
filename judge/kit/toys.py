"""Data and models small enough that a check takes milliseconds, all drawn from a seed.

They are made so that mistakes change numbers and rounding does not: activations are smooth, a layer before a batch
norm has no bias (its gradient would be rounding noise, which Adam turns into whole steps), and the last batch may be
of another size than the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

Batch = tuple[Tensor, Tensor]


class Batches:
    """A loader that is only what is promised: an iterable of batches that can be iterated again, without `len`."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[Batch]:
        yield from self._batches


def regression(seed: int, sizes: Sequence[int], features: int = 3, scales: Sequence[float] = (1.0,)) -> list[Batch]:
    """Batches of `sizes`: x (B, F) and y (B, 1). The targets of batch i are `scales[i % len(scales)]` wide."""
    generator = torch.Generator().manual_seed(seed)
    weight = nn.functional.normalize(torch.randn(features, 1, generator=generator), dim=0)  # (F, 1)
    batches = []
    for index, size in enumerate(sizes):
        x = torch.randn(size, features, generator=generator)  # (B, F)
        noise = torch.randn(size, 1, generator=generator)  # (B, 1)
        batches.append((x, scales[index % len(scales)] * (x @ weight + 0.3 * noise)))
    return batches


def classification(seed: int, sizes: Sequence[int], features: int = 3, classes: int = 3) -> list[Batch]:
    """Batches of `sizes`: x (B, F) around one centre a class, and y (B,) int64."""
    generator = torch.Generator().manual_seed(seed)
    centres = 2.0 * torch.randn(classes, features, generator=generator)  # (C, F)
    batches = []
    for size in sizes:
        y = torch.randint(classes, (size,), generator=generator)  # (B,)
        batches.append((centres[y] + torch.randn(size, features, generator=generator), y))
    return batches


def lopsided(outputs: Tensor, y: Tensor) -> Tensor:
    """A mean squared error that also keeps outputs small: outputs and targets cannot change places."""
    return (outputs - y).square().mean() + 0.3 * outputs.float().square().mean()


def seed_dropout(seed: int, device: str) -> None:
    """What `torch.manual_seed` does, for the one device that is used: for all of them it takes longer than a step."""
    torch.default_generator.manual_seed(seed)
    if device != "cpu":
        torch.cuda.manual_seed_all(seed)


def mlp(
    seed: int, features: int, hidden: int, outputs: int, *, dropout: float = 0.0, batch_norm: bool = False
) -> nn.Sequential:
    """Two layers with weights drawn from `seed`; the global random state is left alone."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        layers: list[nn.Module] = [nn.Linear(features, hidden, bias=not batch_norm)]
        if batch_norm:
            layers.append(nn.BatchNorm1d(hidden))
        layers.append(nn.Tanh())
        if dropout:
            layers.append(nn.Dropout(dropout))
        layers.append(nn.Linear(hidden, outputs))
    return nn.Sequential(*layers)


def state(model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, object]:
    """What training leaves behind, as plain data on the CPU that later training does not change."""
    return {
        "weights": {name: _copy(parameter) for name, parameter in model.named_parameters()},
        "buffers": {name: _copy(buffer) for name, buffer in model.named_buffers()},
        "optimizer": {
            name: {key: _copy(value) for key, value in optimizer.state.get(parameter, {}).items()}
            for name, parameter in model.named_parameters()
        },
    }


def steps_freely(model: nn.Module, optimizer: torch.optim.Optimizer) -> bool:
    """Whether a later step, which nobody clips, uses gradients of a million as they are. It changes the model.

    It does not where something was left behind, such as a hook that clips.
    """
    optimizer.zero_grad()
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    before = [parameter.detach().clone() for parameter in parameters]
    torch.stack([(1e6 * parameter).sum() for parameter in parameters]).sum().backward()
    optimizer.step()
    return all(bool((one - other).abs().min() > 100) for one, other in zip(before, parameters, strict=True))


def _copy(value: object) -> object:
    return value.detach().cpu().clone() if isinstance(value, Tensor) else value
