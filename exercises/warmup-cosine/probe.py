"""Asks a solution for factors, steps its scheduler beside an optimizer, and trains toy models with it."""

import random
from collections.abc import Iterator

import numpy
import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler

from judge.kit import raised
from judge.kit.toys import lopsided, mlp, regression, seed_dropout, state


def factors(solution, plan, steps):
    """`lr_factor` at each of `steps`."""
    return [solution.lr_factor(step, *_given(plan)) for step in steps]


def factors_by_name(solution, plan, steps):
    """The same with every argument by its name."""
    named = {"warmup_steps": plan["warmup"], "total_steps": plan["total"], "min_factor": plan["floor"]}
    return [solution.lr_factor(step=step, **named) for step in steps]


def refusals(solution, cases):
    """The error that `lr_factor` raises for each of `cases`."""
    return [raised(lambda case=case: solution.lr_factor(*case)) for case in cases]


def schedule(solution, setup):
    """The rates of all groups at each update, and where these updates lead."""
    parameters, optimizer = _parameters(setup)
    scheduler = _scheduler(solution, optimizer, setup["plan"])
    rates = [_update(parameters, optimizer, scheduler) for _ in range(setup["updates"])]
    return {
        "rates": rates,
        "weights": [parameter.detach().cpu().clone() for parameter in parameters],
        "is_scheduler": isinstance(scheduler, LRScheduler),
    }


def schedule_with_a_break(solution, setup):
    """The same, but after some updates everything is made anew and goes on from the states of the old ones."""
    parameters, optimizer = _parameters(setup)
    scheduler = _scheduler(solution, optimizer, setup["plan"])
    rates = [_update(parameters, optimizer, scheduler) for _ in range(setup["break_after"])]
    states = {"scheduler": scheduler.state_dict(), "optimizer": optimizer.state_dict()}
    weights = [parameter.detach().clone() for parameter in parameters]

    parameters, optimizer = _parameters(setup)
    scheduler = _scheduler(solution, optimizer, setup["plan"])
    for parameter, weight in zip(parameters, weights, strict=True):
        parameter.data.copy_(weight)
    made = {"scheduler": scheduler, "optimizer": optimizer}
    for name in setup["loading_order"]:
        made[name].load_state_dict(states[name])
    rates += [_update(parameters, optimizer, scheduler) for _ in range(setup["updates"] - setup["break_after"])]
    return {"rates": rates, "weights": [parameter.detach().cpu().clone() for parameter in parameters]}


def train(solution, setup):
    """One training run: the rates that were used, those returned, and what is left."""
    model, batches, optimizer = _training(setup)
    used = []
    optimizer.register_step_pre_hook(lambda *_: used.append([float(group["lr"]) for group in optimizer.param_groups]))
    returned = solution.train(
        model, Loader(batches), lopsided, optimizer, setup["epochs"], *_given(setup["plan"], total=False)
    )
    return {
        **state(model, optimizer),
        "used": used,
        "returned": returned,
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
    }


def worked_example(solution):
    """One group with base rate 0.5, warm-up over 4 of 10 updates, floor 0.1: two epochs of five batches."""
    model = nn.Linear(1, 1, bias=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    batches = [(torch.ones(1, 1), torch.zeros(1, 1))] * 5
    return solution.train(model, Loader(batches), nn.MSELoss(), optimizer, 2, 4, 0.1)


class Loader:
    """What is promised of a loader where its length is needed: `len`, and batches again and again."""

    def __init__(self, batches) -> None:
        self._batches = batches

    def __len__(self) -> int:
        return len(self._batches)

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        yield from self._batches


def _given(plan, total=True):
    """A plan as positional arguments; a floor of None is left to the default."""
    arguments = [plan["warmup"], plan["total"]] if total else [plan["warmup"]]
    return arguments if plan["floor"] is None else [*arguments, plan["floor"]]


def _scheduler(solution, optimizer, plan):
    return solution.make_scheduler(optimizer, *_given(plan))


def _parameters(setup):
    """One vector for each base rate, each in a group of its own, and an optimizer."""
    parameters = [nn.Parameter(torch.zeros(3, device=setup["device"])) for _ in setup["rates"]]
    groups = [{"params": [p], "lr": rate} for p, rate in zip(parameters, setup["rates"], strict=True)]
    kind = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[setup["optimizer"]]
    return parameters, kind(groups, lr=setup["default_rate"])


def _update(parameters, optimizer, scheduler):
    """One update with gradients of one; the rates it used."""
    rates = [float(group["lr"]) for group in optimizer.param_groups]
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    scheduler.step()
    return rates


def _training(setup):
    device = setup["device"]
    batches = [(x.to(device), y.to(device)) for x, y in regression(setup["seed"], setup["sizes"])]
    model = mlp(setup["seed"], 3, setup["hidden"], 1, dropout=setup["dropout"]).to(device)
    if setup["frozen"]:
        model[0].bias.requires_grad_(False)
    if len(setup["rates"]) == 1:
        groups = [{"params": list(model.parameters()), "lr": setup["rates"][0]}]
    else:
        parts = list(model[:-1].parameters()), list(model[-1].parameters())
        groups = [{"params": part, "lr": rate} for part, rate in zip(parts, setup["rates"], strict=True)]
    if setup["optimizer"] == "adam":
        optimizer = torch.optim.Adam(groups, lr=setup["default_rate"], eps=1e-3, weight_decay=0.05)
    else:
        optimizer = torch.optim.SGD(groups, lr=setup["default_rate"], momentum=setup["momentum"])
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    seed_dropout(setup["seed"], device)
    return model, batches, optimizer
