"""Trains toy models with a solution and tells what is left: weights, buffers, optimizer state, losses, events."""

import functools
import itertools
import random
from collections.abc import Iterator

import numpy
import torch
from torch import nn

from judge.kit import raised
from judge.kit.elsewhere import CUDA, Elsewhere
from judge.kit.record import Recorder
from judge.kit.toys import Batches, classification, mlp, regression, seed_dropout, state, steps_freely


def train(solution, setup):
    """Some epochs as `setup` says, one call each."""
    model, batches, loss_fn, optimizer = _build(setup)
    with Recorder(model, optimizer) as record:
        loader = record.batches(batches)
        losses = [
            _detached(_call(solution, setup, model, loader, record.loss(loss_fn), optimizer))
            for _ in range(setup["epochs"])
        ]
    return {**state(model, optimizer), "losses": losses, "log": record.events, "events": _order(record.events)}


def watch(solution, setup):
    """One epoch; what it returned, the numbers it read off the device, and the graphs it kept alive."""
    model, batches, loss_fn, optimizer = _build(setup)
    with Recorder(model, optimizer) as record:
        loader = record.batches(batches)
        returned = _detached(_call(solution, setup, model, loader, record.loss(loss_fn), optimizer))
    return {
        "returned": returned,
        "most_graphs": record.most_graphs,
        "graphs_left": record.graphs_alive(),
        "log": record.events,
    }


def train_plainly(solution, setup):
    """Everything by keyword and no recorder: batches that are lists, from a generator; the loss a partial."""
    model, batches, loss_fn, optimizer = _build(setup)
    solution.train_one_epoch(
        optimizer=optimizer,
        loss_fn=functools.partial(_loss_of, loss_fn),
        loader=_Stream(batches),
        model=model,
        max_norm=setup["max_norm"],
    )
    return state(model, optimizer)


def train_elsewhere(solution, setup):
    """The batches lie on another device than the model: they away from the CPU, then the model; whether the two met."""
    model, batches, loss_fn, optimizer = _build({**setup, "device": "cpu"})
    with Elsewhere(batches):
        _call(solution, setup, model, Batches(batches), loss_fn, optimizer)
    answer = state(model, optimizer)
    model, batches, loss_fn, optimizer = _build({**setup, "device": "cpu"})
    with Elsewhere(batches, here=CUDA) as devices:
        raised(lambda: _call(solution, setup, model, Batches(batches), loss_fn, optimizer))  # there is none to work on
    return {**answer, "met": devices.mixed}


def surroundings(solution, setup):
    """What an epoch has no business changing: the batches, the settings and the random streams."""
    model, batches, loss_fn, optimizer = _build(setup)
    _call(solution, setup, model, Batches(batches), loss_fn, optimizer)
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "rates": [[group["lr"], group["weight_decay"]] for group in optimizer.param_groups],
        "trainable": [parameter.requires_grad for parameter in model.parameters()],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
        "free": steps_freely(model, optimizer),
    }


def worked_example(solution):
    """One weight, 0.5, and two batches: the example of the statement."""
    model = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(0.5)
    batches = [
        (torch.tensor([[1.0], [2.0]]), torch.tensor([[2.0], [4.0]])),
        (torch.tensor([[1.0]]), torch.tensor([[0.8]])),
    ]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    returned = solution.train_one_epoch(model, Batches(batches), nn.MSELoss(), optimizer)
    return {"weight": model.weight.item(), "loss": _detached(returned)}


def _build(setup):
    device = setup["device"]
    if setup["task"] == "classification":
        batches = classification(setup["seed"], setup["sizes"])
        outputs, loss_fn = 3, nn.CrossEntropyLoss()
    else:
        batches = regression(setup["seed"], setup["sizes"], scales=setup["scales"])
        outputs, loss_fn = 1, nn.MSELoss()
    model = mlp(
        setup["seed"], 3, setup["hidden"], outputs, dropout=setup["dropout"], batch_norm=setup["batch_norm"]
    ).to(device)
    batches = [(x.to(device), y.to(device)) for x, y in batches]
    if setup["frozen"]:
        model[0].bias.requires_grad_(False)
    body, head = list(model[:-1].parameters()), list(model[-1].parameters())
    groups = [{"params": body}, {"params": head, "lr": setup["head_lr"], "weight_decay": 0.0}]
    common = {"lr": setup["lr"], "weight_decay": setup["weight_decay"]}
    if setup["optimizer"] == "adam":
        optimizer = torch.optim.Adam(groups, eps=1e-3, **common)
    else:
        optimizer = torch.optim.SGD(groups, momentum=setup["momentum"], **common)
    model.train(setup["arrives"] == "train")
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    seed_dropout(setup["seed"], device)
    return model, batches, loss_fn, optimizer


def _call(solution, setup, model, loader, loss_fn, optimizer):
    if setup["max_norm"] is None:
        return solution.train_one_epoch(model, loader, loss_fn, optimizer)
    return solution.train_one_epoch(model, loader, loss_fn, optimizer, setup["max_norm"])


def _order(log):
    """What tells programs apart that leave the same numbers: where clip and step stand around backward.

    Each batch begins with its mark, or with its forward pass where the batches were all fetched beforehand.
    """
    marked = [event for event in log if event in ("batch", "forward")]
    start = "forward" if ("batch", "batch") in itertools.pairwise(marked) else "batch"
    return [event for event in log if event in (start, "backward", "clip", "step")]


def _detached(value):
    return value.detach().cpu().clone() if isinstance(value, torch.Tensor) else value


def _loss_of(loss_fn, outputs, y):
    return loss_fn(outputs, y)


class _Stream:
    """An iterable and nothing more: no length, no index, batches that are lists."""

    def __init__(self, batches) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[list[torch.Tensor]]:
        return ([x, y] for x, y in self._batches)
