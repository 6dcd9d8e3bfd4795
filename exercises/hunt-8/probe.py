"""Trains small models in 16 bits with a solution; tells how far the weights moved, in which precision, and the log."""

import random

import numpy
import torch
from torch import nn

from judge.kit.toys import Batches, lopsided, mlp, regression, seed_dropout


class Watch(nn.Module):
    """Passes its input on, noting its precision and the mode. A copy notes in the same place."""

    def __init__(self, notes):
        super().__init__()
        self._note = notes.append  # a built-in method: copies of the module share it

    def forward(self, x):
        self._note([_name(x.dtype), self.training])
        return x


def train(solution, setup):
    """A whole run."""
    model, batches, notes = _build(setup)
    start = _flat(model)
    returned = _call(solution, setup, model, batches)
    return {
        "moved": _flat(model) - start,  # (N,)
        "held_in": _held_in(_flat(model)),
        "returned": returned,
        "dtypes": sorted({_name(parameter.dtype) for parameter in model.parameters()}),
        "forward": sorted({dtype for dtype, _ in notes}),
        "modes": sorted({mode for _, mode in notes}),
    }


def surroundings(solution, setup):
    """What a run has no business changing: the batches, the random streams, autocast."""
    model, batches, _ = _build(setup)
    _call(solution, setup, model, batches)
    autocast = [torch.is_autocast_enabled(kind) for kind in ("cpu", "cuda")]
    for kind in ("cpu", "cuda"):
        torch.set_autocast_enabled(kind, False)
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "autocast": autocast,
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
    }


def worked_example(solution):
    """One weight, 1.0, and four batches: the example of the statement."""
    model = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(1.0)
    batch = torch.tensor([[1.0]]), torch.tensor([[0.0]])
    returned = solution.train(model, Batches([batch] * 4), nn.MSELoss(), 1, 0.0001)
    return {"weight": float(model.weight), "dtype": _name(model.weight.dtype), "returned": returned}


def _call(solution, setup, model, batches):
    given = [] if setup["lr"] is None else [setup["lr"], getattr(torch, setup["dtype"])]
    return solution.train(model, Batches(batches), lopsided, setup["epochs"], *given)


def _build(setup):
    notes = []
    model = mlp(setup["seed"], 3, setup["hidden"], 1)
    with torch.no_grad():
        for parameter in model.parameters():  # none near zero, where numbers lie close to each other also in 16 bits
            parameter.copy_(parameter.sign() * (0.75 + parameter.abs()))
    model.append(Watch(notes)).to(setup["device"]).train(setup["arrives"] == "train")
    batches = regression(setup["seed"], setup["sizes"], scales=setup["scales"])
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    seed_dropout(setup["seed"], setup["device"])
    return model, [(x.to(setup["device"]), y.to(setup["device"])) for x, y in batches], notes


def _flat(model):
    return nn.utils.parameters_to_vector([parameter.detach().float() for parameter in model.parameters()]).cpu().clone()


def _held_in(weights):
    """The narrowest precision that holds these weights exactly: where steps were rounded, they all fit into 16 bits."""
    fits = (dtype for dtype in (torch.bfloat16, torch.float16) if torch.equal(weights.to(dtype).float(), weights))
    return _name(next(fits, torch.float32))


def _name(dtype):
    return str(dtype).removeprefix("torch.")
