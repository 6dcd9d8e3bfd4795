"""Trains with a solution: a model that shows which gradients were applied, and small real ones. Asks about lists."""

import functools
import random
from collections.abc import Iterator

import numpy
import torch
from torch import nn

from judge.kit.toys import lopsided, mlp, regression, seed_dropout

PARTS = (4, 2, 1)  # how many weights a batch has in each parameter of a Tape


def tape(solution, setup):
    """Batch i has weights of its own, and their gradient is `gradients[i]` whatever they are.

    `setup["epochs"]` lists the batches in the order in which each pass over the loader gives them; after the last
    pass comes the first again. Returns the norms and what each batch's weights have moved by.
    """
    device, gradients = setup["device"], setup["gradients"]
    batches = [_tape_batch(index, gradients, setup["seed"], device) for index in range(len(gradients))]
    model = Tape(len(gradients)).to(device)
    if setup.get("frozen"):
        model.offset.requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    norms = solution.gradient_norms(
        model, Passes([[batches[i] for i in epoch] for epoch in setup["epochs"]]), _product, optimizer, setup["steps"]
    )
    return {"norms": _plain(norms), "moved": (-model.weights()).tolist()}


def train(solution, setup):
    """A small network trained with momentum or Adam, and dropout."""
    model, batches, optimizer = _build(setup)
    norms = solution.gradient_norms(model, Passes([batches]), lopsided, optimizer, setup["steps"])
    return {"norms": _plain(norms), "weights": _weights(model)}


def study(solution, setup):
    """The same, and what the other functions say of the norms: None where they are not written yet."""
    answer = train(solution, setup)
    norms = answer["norms"]
    threshold = _tried(lambda: solution.choose_threshold(list(norms)))
    return {**answer, "threshold": threshold, "spikes": _tried(lambda: solution.spikes(list(norms)))}


def train_plainly(solution, setup):
    """Everything by keyword: batches that are lists, from an iterable without length; the loss a partial."""
    model, batches, optimizer = _build(setup)
    norms = solution.gradient_norms(
        num_steps=setup["steps"],
        optimizer=optimizer,
        loss_fn=functools.partial(_loss_of, lopsided),
        loader=Stream(batches),
        model=model,
    )
    return {"norms": _plain(norms), "kind": _kind(norms), "weights": _weights(model)}


def train_twice(solution, setup):
    """Two calls with one model, which comes without gradients each time; and what training should leave alone."""
    model, batches, optimizer = _build(setup)
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    norms = []
    for _ in range(2):
        model.zero_grad()
        norms.append(_plain(solution.gradient_norms(model, Passes([batches]), lopsided, optimizer, setup["steps"])))
    return {
        "norms": norms,
        "weights": _weights(model),
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "rates": [[group["lr"], group["weight_decay"]] for group in optimizer.param_groups],
        "trainable": [parameter.requires_grad for parameter in model.parameters()],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
    }


def ask(solution, name, calls):
    """What the function `name` says to each call, as plain numbers, and of what kind that was.

    The calls, with the lists in them, are returned as they are left.
    """
    function = getattr(solution, name)
    answers = [_tried(lambda call=call: function(*call["by_position"], **call["by_name"])) for call in calls]
    return {
        "answers": [_plain(answer) for answer in answers],
        "kinds": [_kind(answer) for answer in answers],
        "calls": calls,
    }


def worked_example(solution):
    """A weight of 1, a bias of 0 and two batches of one sample: the example of the statement."""
    model = nn.Linear(1, 1)
    with torch.no_grad():
        model.weight.fill_(1.0)
        model.bias.fill_(0.0)
    batches = [(torch.tensor([[x]]), torch.tensor([[y]])) for x, y in ((0.75, -1.25), (2.4, -1.22))]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    norms = solution.gradient_norms(model, Passes([batches]), nn.MSELoss(), optimizer, 3)
    return {"norms": _plain(norms), "weights": [model.weight.item(), model.bias.item()]}


class Tape(nn.Module):
    """A linear model in which each batch has its own weights, some in each of three parameters."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        wide, narrow, single = PARTS
        self.wide = nn.Parameter(torch.zeros(batches, wide))
        self.offset = nn.Parameter(torch.zeros(()))  # has no influence; may be frozen; neither first nor last
        self.narrow = nn.Parameter(torch.zeros(batches, narrow))
        self.single = nn.Parameter(torch.zeros(batches * single))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide, narrow, single = x.split([p.numel() for p in (self.wide, self.narrow, self.single)], dim=1)
        outputs = wide @ self.wide.flatten() + narrow @ self.narrow.flatten() + single @ self.single  # (B,)
        return outputs + 0.0 * self.offset

    def weights(self) -> torch.Tensor:
        return torch.cat([self.wide, self.narrow, self.single.unsqueeze(1)], dim=1).detach().cpu()


class Passes:
    """A loader that may give its batches in another order at each pass. It has a length, though nothing needs it."""

    def __init__(self, passes) -> None:
        self._passes = passes
        self._begun = 0

    def __len__(self) -> int:
        return len(self._passes[0])

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        batches = self._passes[self._begun % len(self._passes)]
        self._begun += 1
        return iter(batches)


class Stream:
    """An iterable and nothing more: no length, no index, batches that are lists."""

    def __init__(self, batches) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[list[torch.Tensor]]:
        return ([x, y] for x, y in self._batches)


def _tape_batch(index, gradients, seed, device):
    """x (2, N * 7), whose rows have the gradient as their mean, and y (2,), ones."""
    start, blocks = 0, []
    for width in PARTS:
        block = torch.zeros(len(gradients), width)
        block[index] = torch.tensor(gradients[index][start : start + width])
        blocks.append(block.flatten())
        start += width
    gradient = torch.cat(blocks)
    tilt = 0.2 + 0.3 * random.Random(seed + index).random()
    return torch.stack([(1 + tilt) * gradient, (1 - tilt) * gradient]).to(device), torch.ones(2, device=device)


def _build(setup):
    device = setup["device"]
    batches = [
        (x.to(device), y.to(device)) for x, y in regression(setup["seed"], setup["sizes"], scales=setup["scales"])
    ]
    model = mlp(setup["seed"], 3, setup["hidden"], 1, dropout=setup["dropout"]).to(device)
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
    seed_dropout(setup["seed"], device)
    return model, batches, optimizer


def _weights(model):
    return {name: parameter.detach().cpu().clone() for name, parameter in model.named_parameters()}


def _tried(call):
    try:
        return call()
    except Exception as error:
        return {"raised": [kind.__name__ for kind in type(error).__mro__], "text": str(error)[:200]}


def _product(outputs, y):
    return (outputs * y).mean()


def _loss_of(loss_fn, outputs, y):
    return loss_fn(outputs, y)


def _plain(answer):
    """Numbers of numpy and torch as Python's, also in a list."""
    if isinstance(answer, (list, tuple)):
        return [_plain(item) for item in answer]
    return answer.tolist() if isinstance(answer, (numpy.ndarray, numpy.generic, torch.Tensor)) else answer


def _kind(answer):
    """`float`, `Tensor`, `list of int`: names of types; of Python's own for what is derived from them."""
    if isinstance(answer, list):
        return f"list of {' and '.join(sorted({_kind(item) for item in answer})) or 'nothing'}"
    kinds = (bool, int, float, numpy.ndarray, torch.Tensor)
    return next((kind.__name__ for kind in kinds if isinstance(answer, kind)), type(answer).__name__)
