"""Trains small models with a solution and tells what is left, and with which rates each update was made."""

import random

import numpy
import torch
from torch import nn

from judge.kit.toys import Batches, classification, mlp, regression, seed_dropout, state


def train(solution, setup):
    """A whole run, with the rate of each parameter group in each update."""
    model, batches, loss_fn, optimizer = _build(setup)
    rates = []
    groups = optimizer.param_groups
    optimizer.register_step_pre_hook(lambda *_: rates.append([group["lr"] for group in groups]))
    returned = solution.train(model, Batches(batches), loss_fn, optimizer, setup["epochs"])
    return {**state(model, optimizer), "returned": returned, "rates": [list(map(float, row)) for row in rates]}


def surroundings(solution, setup):
    """What a run has no business changing: the batches, the settings and the random streams."""
    model, batches, loss_fn, optimizer = _build(setup)
    solution.train(model, Batches(batches), loss_fn, optimizer, setup["epochs"])
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "settings": [[group["momentum"], group["weight_decay"]] for group in optimizer.param_groups],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
    }


def worked_example(solution):
    """One weight, 0.5, two epochs of one batch: the example of the statement."""
    model = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(0.5)
    batches = [(torch.tensor([[1.0], [2.0]]), torch.tensor([[2.0], [4.0]]))]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    returned = solution.train(model, Batches(batches), nn.MSELoss(), optimizer, 2)
    return {"weight": model.weight.item(), "returned": returned}


def _build(setup):
    device = setup["device"]
    if setup["task"] == "classification":
        batches, outputs, loss_fn = classification(setup["seed"], setup["sizes"]), 3, nn.CrossEntropyLoss()
    else:
        batches, outputs, loss_fn = regression(setup["seed"], setup["sizes"]), 1, nn.MSELoss()
    model = mlp(setup["seed"], 3, setup["hidden"], outputs, dropout=setup["dropout"]).to(device)
    groups = [
        {"params": list(model[:-1].parameters())},
        {"params": list(model[-1].parameters()), "lr": setup["head_lr"], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.SGD(groups, lr=setup["lr"], momentum=0.5, weight_decay=0.05)
    model.train(setup["arrives"] == "train")
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    seed_dropout(setup["seed"], device)
    return model, [(x.to(device), y.to(device)) for x, y in batches], loss_fn, optimizer
