"""Trains and validates small models with a solution; tells what is left, and which forward passes built a graph."""

import random

import numpy
import torch
from torch import nn

from judge.kit.record import Recorder
from judge.kit.toys import Batches, classification, mlp, seed_dropout, state


def train(solution, setup):
    """A whole run; for every validation batch whether it was seen in training mode and whether it built a graph."""
    model, batches, val_batches, optimizer = _build(setup)
    seen = []

    def note(module, inputs, outputs):
        (x,) = inputs
        if any(torch.equal(x, other) for other, _ in val_batches):
            seen.append([any(part.training for part in module), outputs.requires_grad])

    model.register_forward_hook(note)
    before = _settings(model)
    with Recorder(model, optimizer) as record:
        loaders = record.batches(batches), record.batches(val_batches)
        loss_fn = record.loss(nn.CrossEntropyLoss())
        with torch.enable_grad():  # whatever mode is left behind, it ends here
            returned = solution.train(model, *loaders, loss_fn, optimizer, setup["epochs"])
            after = _settings(model)
    return {
        **state(model, optimizer),
        "returned": returned,
        "validation": seen,
        "most_graphs": record.most_graphs,
        "settings": [before, after],
    }


def surroundings(solution, setup):
    """What a run has no business changing: the batches, the settings and the random streams."""
    model, batches, val_batches, optimizer = _build(setup)
    with torch.enable_grad():
        solution.train(model, Batches(batches), Batches(val_batches), nn.CrossEntropyLoss(), optimizer, setup["epochs"])
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches + val_batches],
        "rates": [group["lr"] for group in optimizer.param_groups],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
    }


def worked_example(solution):
    """One weight, 0.5: the example of the statement."""
    model = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(0.5)
    batches = [
        (torch.tensor([[1.0], [2.0]]), torch.tensor([[2.0], [4.0]])),
        (torch.tensor([[1.0]]), torch.tensor([[0.8]])),
    ]
    val_batches = [(torch.tensor([[2.0]]), torch.tensor([[2.0]]))]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with torch.enable_grad():
        returned = solution.train(model, Batches(batches), Batches(val_batches), nn.MSELoss(), optimizer, 1)
    return {"weight": model.weight.item(), "returned": returned}


def _settings(model):
    """Whether autograd is on, and which parameters are trained."""
    return [torch.is_grad_enabled(), [parameter.requires_grad for parameter in model.parameters()]]


def _build(setup):
    device, sizes = setup["device"], setup["sizes"]
    batches = [(x.to(device), y.to(device)) for x, y in classification(setup["seed"], sizes + setup["val_sizes"])]
    model = mlp(setup["seed"], 3, setup["hidden"], 3, dropout=setup["dropout"], batch_norm=True).to(device)
    if setup["frozen"]:
        model[0].weight.requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=setup["lr"], momentum=0.5)
    model.train(setup["arrives"] == "train")
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    seed_dropout(setup["seed"], device)
    return model, batches[: len(sizes)], batches[len(sizes) :], optimizer
