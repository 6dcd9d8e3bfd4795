"""Trains with a solution: a model that shows how much each batch counted, and small real ones."""

import functools
import random
from collections.abc import Iterator

import numpy
import torch
from torch import nn

from judge.kit.toys import lopsided, mlp, regression, state, steps_freely


def tape(solution, setup):
    """What each batch moved. Batch i has a weight of its own, whose gradient is `gradients[i]` whatever it is."""
    device, sizes = setup["device"], setup["sizes"]
    generator = torch.Generator().manual_seed(setup["seed"])
    batches = []
    for index, size in enumerate(sizes):
        x = torch.zeros(size, len(sizes))
        x[:, index] = setup["gradients"][index] * (1 + 0.5 * torch.randn(size, generator=generator))
        x[:, index] += setup["gradients"][index] - x[:, index].mean()
        batches.append((x.to(device), torch.ones(size, device=device)))
    model = Tape(len(sizes)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    steps = []
    optimizer.register_step_post_hook(lambda *_: steps.append(1))
    arguments = [] if setup["max_norm"] is None else [setup["max_norm"]]
    returned = solution.train_accumulated(
        model, Loader(batches), _mean_product, optimizer, setup["accum_steps"], *arguments
    )
    return {"moved": (-model.weights()).tolist(), "steps": len(steps), "returned": returned, "left": _left(model)}


def train(solution, setup):
    """Some epochs with a small network, one call each."""
    model, batches, optimizer = _build(setup)
    before = [parameter.detach().clone() for parameter in model.parameters()]
    returned, left = [], []
    for _ in range(setup["epochs"]):
        returned.append(
            solution.train_accumulated(
                model, Loader(batches), lopsided, optimizer, setup["accum_steps"], setup["max_norm"]
            )
        )
        left.append(_left(model))
    changes = [after.detach() - old for after, old in zip(model.parameters(), before, strict=True)]
    return {
        **state(model, optimizer),
        "returned": returned,
        "left": left,
        "change": torch.cat([change.flatten() for change in changes]).tolist(),
    }


def train_plainly(solution, setup):
    """Everything by keyword: batches that are lists, from an iterable without length; the loss a partial."""
    model, batches, optimizer = _build(setup)
    solution.train_accumulated(
        max_norm=setup["max_norm"],
        accum_steps=setup["accum_steps"],
        optimizer=optimizer,
        loss_fn=functools.partial(_loss_of, lopsided),
        loader=Stream(batches),
        model=model,
    )
    return state(model, optimizer)


def surroundings(solution, setup):
    """What training has no business changing: the batches, the settings and the random streams."""
    model, batches, optimizer = _build(setup)
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"] % 2**32)
    torch.default_generator.manual_seed(setup["seed"])
    solution.train_accumulated(model, Loader(batches), lopsided, optimizer, setup["accum_steps"], setup["max_norm"])
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "rates": [[group["lr"], group["weight_decay"]] for group in optimizer.param_groups],
        "trainable": [parameter.requires_grad for parameter in model.parameters()],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
        "free": steps_freely(model, optimizer),
    }


def worked_example(solution):
    """One weight, 0.5, batches of one, three and one sample, two batches to an update: the example of the statement."""
    model = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(0.5)
    data = [([1.0], [3.0]), ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]), ([2.0], [2.0])]
    batches = [(torch.tensor(x).unsqueeze(1), torch.tensor(y).unsqueeze(1)) for x, y in data]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = solution.train_accumulated(model, Loader(batches), nn.MSELoss(), optimizer, 2, 10.0)
    return {"weight": model.weight.item(), "updates": updates}


class Tape(nn.Module):
    """A linear model without bias; its weights lie in two parameters, in turn."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.even = nn.Parameter(torch.zeros((features + 1) // 2))
        self.odd = nn.Parameter(torch.zeros(features // 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x[:, 0::2] @ self.even + x[:, 1::2] @ self.odd  # (B,)

    def weights(self) -> torch.Tensor:
        weights = torch.zeros(len(self.even) + len(self.odd))
        weights[0::2], weights[1::2] = self.even.detach().cpu(), self.odd.detach().cpu()
        return weights


class TellsModes(nn.Module):
    """Passes its input on in training, and half of it in evaluation: as dropout does, without chance."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x if self.training else 0.5 * x


class Loader:
    """A loader with a length, though nothing should need it."""

    def __init__(self, batches) -> None:
        self._batches = batches

    def __len__(self) -> int:
        return len(self._batches)

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        yield from self._batches


class Stream:
    """An iterable and nothing more: no length, no index, batches that are lists."""

    def __init__(self, batches) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[list[torch.Tensor]]:
        return ([x, y] for x, y in self._batches)


def _build(setup):
    device = setup["device"]
    batches = [
        (x.to(device), y.to(device)) for x, y in regression(setup["seed"], setup["sizes"], scales=setup["scales"])
    ]
    layers = mlp(setup["seed"], 3, setup["hidden"], 1)
    model = nn.Sequential(*layers[:-1], TellsModes(), layers[-1]).to(device)
    if setup["frozen"]:
        model[0].bias.requires_grad_(False)
    groups = [
        {"params": list(model[:-1].parameters())},
        {"params": list(model[-1].parameters()), "lr": setup["head_lr"], "weight_decay": 0.0},
    ]
    if setup["optimizer"] == "adam":
        optimizer = torch.optim.Adam(groups, lr=setup["lr"], eps=1e-3, weight_decay=setup["weight_decay"])
    else:
        optimizer = torch.optim.SGD(
            groups, lr=setup["lr"], momentum=setup["momentum"], weight_decay=setup["weight_decay"]
        )
    return model, batches, optimizer


def _left(model):
    """The largest entry of each gradient that is still there."""
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    return [float(gradient.abs().max()) for gradient in gradients if gradient.numel()]


def _mean_product(outputs, y):
    return (outputs * y).mean()


def _loss_of(loss_fn, outputs, y):
    return loss_fn(outputs, y)
