"""Trains small models with a solution and tells what is left: weights, optimizer state, the log, and graphs."""

import random

import numpy
import torch
from torch import nn

from judge.kit.record import Recorder
from judge.kit.toys import Batches, classification, mlp, regression, seed_dropout, state


class Counting:
    """The batches, counting the graphs in memory as the last one of an epoch is asked for."""

    def __init__(self, batches, record):
        self._batches = batches
        self._record = record
        self.graphs = 0

    def __iter__(self):
        *others, last = self._record.batches(self._batches)
        yield from others
        self.graphs = self._record.graphs_alive()
        yield last


def train(solution, setup):
    """A whole run."""
    model, batches, loss_fn, optimizer = _build(setup)
    with Recorder(model, optimizer) as record:
        loader = Counting(batches, record)
        returned = _call(solution, setup, model, loader, record.loss(loss_fn), optimizer)
        graphs_left = record.graphs_alive()  # while what was returned is still in hand
    return {
        **state(model, optimizer),
        "returned": _detached(returned),
        "most_graphs": record.most_graphs,
        "graphs_at_the_last_batch": loader.graphs,
        "graphs_left": graphs_left,
    }


def surroundings(solution, setup):
    """What a run has no business changing: the batches, the settings and the random streams."""
    model, batches, loss_fn, optimizer = _build(setup)
    _call(solution, setup, model, Batches(batches), loss_fn, optimizer)
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "rates": [[group["lr"], group["weight_decay"]] for group in optimizer.param_groups],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
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
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    returned = solution.train(model, Batches(batches), nn.MSELoss(), optimizer, 1)
    return {"weight": model.weight.item(), "returned": _detached(returned)}


def _build(setup):
    device = setup["device"]
    if setup["task"] == "classification":
        batches, outputs, loss_fn = classification(setup["seed"], setup["sizes"]), 3, nn.CrossEntropyLoss()
    else:
        batches = regression(setup["seed"], setup["sizes"], scales=setup["scales"])
        outputs, loss_fn = 1, nn.MSELoss()
    model = mlp(
        setup["seed"], 3, setup["hidden"], outputs, dropout=setup["dropout"], batch_norm=setup["batch_norm"]
    ).to(device)
    batches = [(x.to(device), y.to(device)) for x, y in batches]
    if setup["optimizer"] == "adam":
        optimizer = torch.optim.Adam(model.parameters(), lr=setup["lr"], eps=1e-3)
    else:
        rules = {name: setup[name] for name in ("lr", "momentum", "weight_decay")}
        optimizer = torch.optim.SGD(model.parameters(), **rules)
    model.train(setup["arrives"] == "train")
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    seed_dropout(setup["seed"], device)
    return model, batches, loss_fn, optimizer


def _call(solution, setup, model, loader, loss_fn, optimizer):
    given = [] if setup["beta"] is None else [setup["beta"]]
    return solution.train(model, loader, loss_fn, optimizer, setup["epochs"], *given)


def _detached(value):
    if isinstance(value, list):
        return [_detached(item) for item in value]
    return value.detach().cpu().clone() if isinstance(value, torch.Tensor) else value
