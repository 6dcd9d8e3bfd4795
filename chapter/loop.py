"""The chapter's loop with its lines in any order, on the three-armed spiral: what measure, orders and spiral run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)  # these problems are tiny: more threads would only wait for each other

LINES = ("forward", "zero", "backward", "clip", "step")
"""The five lines in the order the chapter writes them."""


OptimizerMaker = Callable[[nn.Module], torch.optim.Optimizer]


def without(*lines: str) -> tuple[str, ...]:
    """The five lines in order, with some left out."""
    return tuple(line for line in LINES if line not in lines)


def spiral(points_per_class: int = 150, num_classes: int = 3, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Arms of a spiral: x (N, 2) and the arm y (N,). Radius 0..1, angle 4c..4(c+1) with a little noise."""
    generator = torch.Generator().manual_seed(seed)
    points, labels = [], []
    for arm in range(num_classes):
        radius = torch.linspace(0, 1, points_per_class)
        angle = torch.linspace(4 * arm, 4 * (arm + 1), points_per_class)
        angle = angle + 0.15 * torch.randn(points_per_class, generator=generator)
        points.append(torch.stack([radius * angle.sin(), radius * angle.cos()], dim=1))  # (P, 2)
        labels.append(torch.full((points_per_class,), arm))
    return torch.cat(points), torch.cat(labels)


def noisy_halves() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The spiral with more noise, cut into a training and a validation half."""
    x, y = spiral()
    x = x + 0.06 * torch.randn(x.shape, generator=torch.Generator().manual_seed(5))
    return x[0::2], y[0::2], x[1::2], y[1::2]


def network(width: int = 48, dropout: float = 0.0, norm: bool = False, seed: int = 0) -> nn.Sequential:
    """A small classifier of points in the plane, the same weights for the same seed."""
    torch.manual_seed(seed)
    layers: list[nn.Module] = []
    for inputs in (2, width):
        layers += [nn.Linear(inputs, width), nn.ReLU()]
        layers += [nn.BatchNorm1d(width)] if norm else []
        layers += [nn.Dropout(dropout)] if dropout else []
    return nn.Sequential(*layers, nn.Linear(width, 3))


def accuracy(model: nn.Module, x: Tensor, y: Tensor) -> float:
    with torch.no_grad():
        return float((model(x).argmax(dim=1) == y).float().mean())


def momentum(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def adam(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.Adam(model.parameters(), lr=0.01)


@dataclass
class Run:
    """What a run of the loop left behind."""

    model: nn.Module
    losses: list[float] = field(default_factory=list)  # the mean loss of each epoch, before its updates
    norms: list[float] = field(default_factory=list)  # what the clipping line returned at each step
    updates: list[float] = field(default_factory=list)  # how far each step moved the weights, 2-norm


def train(
    order: Sequence[str] = LINES,
    *,
    model: nn.Module | None = None,
    optimizer: OptimizerMaker = adam,
    epochs: int = 30,
    batch_size: int = 45,
    max_norm: float = 1.0,
    shuffle: bool = True,
    data: tuple[Tensor, Tensor] | None = None,
    on_epoch: Callable[[int, nn.Module], None] | None = None,
) -> Run:
    """Runs `order`, some or all of the five lines, once a batch. Errors of torch go to the caller."""
    x, y = data or spiral()
    model = model or network()
    stepper = optimizer(model)
    run = Run(model)
    order_of_samples = torch.Generator().manual_seed(1)
    dataset = TensorDataset(x, y)
    loader = DataLoader(dataset, batch_size=batch_size, shuffle=shuffle, generator=order_of_samples)
    parameters = list(model.parameters())
    loss: Tensor | None = None  # as in a script: what an earlier batch left, until the forward line runs
    for epoch in range(epochs):
        total = torch.zeros(())
        for xb, yb in loader:
            before = [p.detach().clone() for p in parameters]
            for line in order:
                if line == "forward":
                    loss = nn.functional.cross_entropy(model(xb), yb)
                elif line == "zero":
                    stepper.zero_grad()
                elif line == "backward":
                    if loss is None:
                        raise NameError("backward stands before the first forward pass: there is no loss yet")
                    loss.backward()
                elif line == "clip":
                    run.norms.append(float(nn.utils.clip_grad_norm_(parameters, max_norm)))
                elif line == "step":
                    stepper.step()
            assert loss is not None
            total += loss.detach() * len(yb)
            moved = [(p.detach() - b).norm() for p, b in zip(parameters, before, strict=True)]
            run.updates.append(float(torch.stack(moved).norm()))
        run.losses.append(float(total) / len(y))
        if on_epoch:
            on_epoch(epoch, model)
    return run
