"""Trains small models in mixed precision with a solution; tells how far the weights moved, the scale, and the log."""

import random

import numpy
import torch
from torch import nn

from judge.kit.toys import Batches, lopsided, mlp, regression, seed_dropout


class Watch(nn.Module):
    """Passes its input on, noting its precision and the mode."""

    def __init__(self, notes):
        super().__init__()
        self._notes = notes

    def forward(self, x):
        self._notes.append([_name(x.dtype), self.training])
        return x


def train(solution, setup):
    """A whole run."""
    model, batches, optimizer, scaler, notes = _build(setup)
    start = _flat(model)
    around_loss = []
    returned = _call(solution, setup, model, batches, optimizer, scaler, around_loss)
    return {
        "moved": _flat(model) - start,  # (N,)
        "returned": returned,
        "scale": scaler.get_scale(),
        "forward": sorted({dtype for dtype, _ in notes}),
        "loss": sorted(set(around_loss)),
        "modes": sorted({mode for _, mode in notes}),
    }


def surroundings(solution, setup):
    """What a run has no business changing: the batches, the settings, the random streams, autocast."""
    model, batches, optimizer, scaler, _ = _build(setup)
    _call(solution, setup, model, batches, optimizer, scaler, [])
    autocast = [torch.is_autocast_enabled(kind) for kind in ("cpu", "cuda")]
    for kind in ("cpu", "cuda"):
        torch.set_autocast_enabled(kind, False)
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "rates": [group["lr"] for group in optimizer.param_groups],
        "autocast": autocast,
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
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    returned = solution.train(model, Batches(batches), nn.MSELoss(), optimizer, scaler, 1)
    return {"weight": model.weight.item(), "returned": returned}


def _call(solution, setup, model, batches, optimizer, scaler, around_loss):
    one = torch.ones(1, 1, device=setup["device"])

    def loss_fn(outputs, y):
        """The loss, noting in which precision a product of matrices is taken around it."""
        around_loss.append(_name((one @ one).dtype))
        return lopsided(outputs, y)

    given = [] if setup["max_norm"] is None else [setup["max_norm"], getattr(torch, setup["dtype"])]
    return solution.train(model, Batches(batches), loss_fn, optimizer, scaler, setup["epochs"], *given)


def _build(setup):
    device, notes = setup["device"], []
    model = mlp(setup["seed"], 3, setup["hidden"], 1).append(Watch(notes)).to(device)
    batches = regression(setup["seed"], setup["sizes"], scales=setup["scales"])
    for index in setup["overflowing"]:
        batches[index][0][-1, 0] = float("inf")
    optimizer = torch.optim.SGD(model.parameters(), lr=setup["lr"], momentum=0.5)
    scaler = torch.amp.GradScaler(device, **setup["scaler"])
    model.train(setup["arrives"] == "train")
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    seed_dropout(setup["seed"], device)
    return model, [(x.to(device), y.to(device)) for x, y in batches], optimizer, scaler, notes


def _flat(model):
    return nn.utils.parameters_to_vector(model.parameters()).detach().cpu().clone()


def _name(dtype):
    return str(dtype).removeprefix("torch.")
