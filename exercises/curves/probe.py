"""Lets a solution record small trainings, and asks it about histories of losses."""

import copy
import random

import numpy
import torch
from torch import nn

from judge.kit import raised

FEATURES = 12
STEPS = 3  # in an epoch
CALLS_TOO_MANY = 10  # after these, a program that never ends is ended
OUT_OF_TURN = 100.0


def record(solution, setup):
    """`record` with losses as `setup` says; each epoch adds 1 to the model's weight.

    `validate` tells the loss of the epoch it is called in, and much more when it is called out of turn.
    """
    model = nn.Linear(1, 1, bias=False).to(setup["device"])
    nn.init.zeros_(model.weight)
    calls = {"train": 0, "val": 0}

    def called(kind):
        calls[kind] += 1
        if calls[kind] > setup["epochs"] + CALLS_TOO_MANY:
            raise RuntimeError(f"{setup['epochs']} epochs were asked for, and training still went on")
        return setup[kind][min(calls[kind], len(setup[kind])) - 1]

    def train_epoch(model):
        with torch.no_grad():
            model.weight += 1
        return called("train")

    def validate(model):
        loss = called("val")
        return loss + OUT_OF_TURN * abs(round(model.weight.item()) - calls["val"])

    if setup["by_name"]:
        named = {"epochs": setup["epochs"], "validate": validate, "train_epoch": train_epoch}
        returned = solution.record(model=model, **named)
    else:
        returned = solution.record(model, train_epoch, validate, setup["epochs"])
    return {"returned": returned, "weight": model.weight.item(), "trained": calls["train"]}


def record_twice(solution, setups):
    return [record(solution, setup) for setup in setups]


def gaps(solution, histories):
    return [solution.generalisation_gap(copy.deepcopy(history)) for history in histories]


def since(solution, histories, patience):
    return [solution.overfitting_since(copy.deepcopy(history), patience) for history in histories]


def since_by_default(solution, histories):
    return [solution.overfitting_since(history=copy.deepcopy(history)) for history in histories]


def since_by_name(solution, histories, patience):
    return [solution.overfitting_since(patience=patience, history=copy.deepcopy(history)) for history in histories]


def refusals(solution, history, patiences):
    """The error that `overfitting_since` raises for each patience."""
    return [raised(lambda patience=patience: solution.overfitting_since(history, patience)) for patience in patiences]


def left_alone(solution, history, seed):
    """The history after both functions have read it twice, and where the random streams are then."""
    random.seed(seed)
    numpy.random.seed(seed)
    torch.default_generator.manual_seed(seed)
    given = copy.deepcopy(history)
    answers = [[solution.generalisation_gap(given), solution.overfitting_since(given, 2)] for _ in range(2)]
    streams = [random.random(), float(numpy.random.random()), float(torch.rand((), dtype=torch.float64))]
    return {"history": given, "answers": answers, "streams": streams}


def overfit(solution, setup):
    """All three functions on a training that overfits: hardly more noisy samples than weights."""
    device = setup["device"]
    generator = torch.Generator().manual_seed(setup["seed"])
    weight = torch.randn(FEATURES, 1, generator=generator) / 2  # (F, 1)

    def draw(size):
        x = torch.randn(size, FEATURES, generator=generator)  # (B, F)
        y = x @ weight + setup["noise"] * torch.randn(size, 1, generator=generator)  # (B, 1)
        return x.to(device), y.to(device)

    train, val = draw(setup["size"]), draw(200)
    model = nn.Linear(FEATURES, 1, bias=False).to(device)
    nn.init.zeros_(model.weight)

    def train_epoch(model):
        model.train()
        for _ in range(STEPS):
            loss = nn.functional.mse_loss(model(train[0]), train[1])
            (gradient,) = torch.autograd.grad(loss, [model.weight])
            with torch.no_grad():
                model.weight -= setup["lr"] * gradient
        return loss.item()

    @torch.no_grad()
    def validate(model):
        model.eval()
        return nn.functional.mse_loss(model(val[0]), val[1]).item()

    history = solution.record(model, train_epoch, validate, setup["epochs"])
    answer = {"history": history, "gap": None, "since": None}
    if isinstance(history, dict):
        answer["gap"] = solution.generalisation_gap(copy.deepcopy(history))
        answer["since"] = solution.overfitting_since(copy.deepcopy(history))
    return answer
