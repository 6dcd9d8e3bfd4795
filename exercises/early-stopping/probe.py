"""Lets a solution's `fit` train small models: with losses as given, or really, until it overfits.

Besides what `fit` returned, the probe tells what the model holds afterwards and, as events, how that came into it.
"""

import math
import random

import numpy
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from judge.kit import raised
from judge.kit.toys import mlp, seed_dropout

FEATURES = 3
VAL_SIZE = 64
CALLS_TOO_MANY = 5  # after these, a program that never stops is stopped
WRITING = {"copy_", "__set__", "set_"}
COPYING = {"clone", "__deepcopy__", "copy_", "__reduce_ex__", "numpy", "cat", "tolist"}


def follow(solution, setup):
    """`fit` with the losses of `setup`, while the weights move as in any training."""
    return _followed(solution, setup)


def follow_all(solution, setups):
    """One call after the other, each with a model of its own."""
    return [_followed(solution, setup) for setup in setups]


def states(solution, setup):
    """What a model holds before, and after each epoch of, training that nobody interferes with."""
    model, callbacks = _build(setup)
    found = [_held(model)]
    for _ in range(len(setup["val"])):
        callbacks.train_epoch(model)
        callbacks.validate(model)
        found.append(_held(model))
    return found


def refusals(solution, setup, patiences):
    """The error that `fit` raises for each patience."""
    return [
        raised(lambda patience=patience: _followed(solution, setup | {"patience": patience})) for patience in patiences
    ]


def overfit(solution, setup):
    """Few noisy samples, many weights: the losses are real, and the model comes to know the noise by heart."""
    task = _Overfitting(setup)
    with _Writing(task.model) as writing:
        returned = solution.fit(
            task.model,
            writing.outside(task.train_epoch),
            writing.outside(task.validate),
            setup["max_epochs"],
            setup["patience"],
        )
    left = {"left": task.validate(task.model), **_held(task.model)}
    answer = {"returned": returned, **left, "events": writing.events()}
    return answer | {"streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))]}


def worked_example(solution, patience):
    """The eight epochs of the statement: the one weight is 0 before them, and 1 more after each."""
    losses = [0.9, 0.7, 0.8, 0.6, 0.65, math.nan, 0.64, 0.5]
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    epochs = []

    def train_epoch(model):
        with torch.no_grad():
            model.weight += 1
        epochs.append(len(epochs))
        return 1.0 / len(epochs)

    def validate(model):
        return losses[min(len(epochs), len(losses)) - 1]

    returned = solution.fit(model, train_epoch, validate, len(losses), patience=patience)
    return {"returned": returned, "weight": model.weight.item(), "epochs": len(epochs)}


def _followed(solution, setup):
    model, callbacks = _build(setup)
    with _Writing(model) as writing:
        train_epoch, validate = writing.outside(callbacks.train_epoch), writing.outside(callbacks.validate)
        options = {name: setup[name] for name in ("patience", "min_delta") if name in setup}
        if setup["by_name"]:
            named = {"validate": validate, "max_epochs": setup["max_epochs"], "train_epoch": train_epoch}
            returned = solution.fit(model=model, **options, **named)
        else:
            returned = solution.fit(model, train_epoch, validate, setup["max_epochs"], *options.values())
    return {"returned": returned, "trained": callbacks.trained, **_held(model), "events": writing.events()}


def _build(setup):
    model = mlp(setup["seed"], FEATURES, 4, 1, batch_norm=True).to(setup["device"])
    model[1].weight.requires_grad_(False)  # frozen
    return model, _Dictated(setup)


def _held(model):
    """All that the model's `state_dict` has, as copies on the CPU."""
    parameters = {name for name, _ in model.named_parameters()}
    state = {name: tensor.detach().cpu().clone() for name, tensor in model.state_dict().items()}
    return {
        "weights": {name: tensor for name, tensor in state.items() if name in parameters},
        "buffers": {name: tensor for name, tensor in state.items() if name not in parameters},
    }


class _Dictated:
    """The callbacks: each epoch moves all that the model holds, frozen or not; the losses are as given."""

    def __init__(self, setup):
        self._setup = setup
        self._generator = torch.Generator().manual_seed(setup["seed"])
        self.trained = self._validated = 0

    def train_epoch(self, model):
        model.train()
        for tensor in model.state_dict().values():
            move = torch.randn(tensor.shape, generator=self._generator)
            tensor += 0.1 * move.to(tensor.device) if tensor.is_floating_point() else 1
        loss = _at(self._setup["train"], self.trained)
        self.trained += 1
        _must_end(self.trained, self._setup["max_epochs"])
        return loss

    def validate(self, model):
        model.eval()
        loss = _at(self._setup["val"], self._validated)
        self._validated += 1
        _must_end(self._validated, 2 * self._setup["max_epochs"])
        return loss


class _Overfitting:
    """A regression on few noisy samples, in batches of two sizes, with batch norm, dropout and Adam."""

    def __init__(self, setup):
        self._device = setup["device"]
        self._max_epochs = setup["max_epochs"]
        self._calls = 0
        generator = torch.Generator().manual_seed(setup["seed"])
        weight = torch.randn(FEATURES, 1, generator=generator)  # (F, 1)
        self._train, self._val = [], None
        for size in [*setup["sizes"], VAL_SIZE]:
            x = torch.randn(size, FEATURES, generator=generator)  # (B, F)
            y = x @ weight + setup["noise"] * torch.randn(size, 1, generator=generator)  # (B, 1)
            self._train.append((x.to(self._device), y.to(self._device)))
        self._val = self._train.pop()
        self.model = mlp(setup["seed"], FEATURES, setup["hidden"], 1, dropout=setup["dropout"], batch_norm=True).to(
            self._device
        )
        self._optimizer = torch.optim.Adam(self.model.parameters(), lr=setup["lr"], eps=1e-3)
        random.seed(setup["seed"])
        numpy.random.seed(setup["seed"])
        seed_dropout(setup["seed"], self._device)

    def train_epoch(self, model):
        self._calls += 1
        _must_end(self._calls, self._max_epochs)
        model.train()
        total = 0.0
        for x, y in self._train:
            loss = nn.functional.mse_loss(model(x), y)
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            total += loss.item() * len(y)
        return total / sum(len(y) for _, y in self._train)

    @torch.no_grad()
    def validate(self, model):
        model.eval()
        x, y = self._val
        return nn.functional.mse_loss(model(x), y).item()


def _at(losses, index):
    return losses[min(index, len(losses) - 1)]


def _must_end(calls, max_epochs):
    if calls > max_epochs + CALLS_TOO_MANY:
        raise RuntimeError(f"training was to end after {max_epochs} epochs at most, and it still went on")


class _Writing(TorchFunctionMode):
    """Sees what a program writes into a model outside the callbacks: a copy, the model's own tensors, or nothing.

    `load_state_dict` is exchanged on the class, not hung on the model, which programs may copy or save.
    """

    def __init__(self, model):
        super().__init__()
        self._model = model
        self._written = "nothing"
        self._copied = self._copied_in_time = False  # by now, and when the last callback was called
        self._watching = True

    def events(self):
        """One word on what was written; a copy that was made after training is as late as none."""
        if self._written == "copy" and not self._copied_in_time:
            return ["own"]
        return [self._written]

    def outside(self, callback):
        """`callback`, whose writing and copying is not the program's."""

        def called(model):
            self._copied_in_time = self._copied
            self._watching = False
            try:
                with torch._C.DisableTorchFunction():
                    return callback(model)
            finally:
                self._watching = True

        return called

    def __enter__(self):
        load = self._load = nn.Module.load_state_dict

        def load_state_dict(module, state, *arguments, **options):
            if self._watching and module is self._model and hasattr(state, "values"):
                self._note(all(self._is_own(value) for value in state.values()))
            watching, self._watching = self._watching, False
            try:
                return load(module, state, *arguments, **options)
            finally:
                self._watching = watching

        nn.Module.load_state_dict = load_state_dict
        return super().__enter__()

    def __exit__(self, *error):
        nn.Module.load_state_dict = self._load
        super().__exit__(*error)

    def __torch_function__(self, function, types, arguments=(), options=None):
        name = getattr(function, "__name__", "")
        if self._watching and name in WRITING and len(arguments) > 1 and self._is_own(arguments[0]):
            self._note(self._is_own(arguments[1]))
        elif self._watching and name in COPYING and not self._copied:
            self._copied = self._is_own(arguments[0]) or self._is_own(arguments[-1])
        return function(*arguments, **(options or {}))

    def _note(self, own):
        if not (own and self._written == "copy"):
            self._written = "own" if own else "copy"

    def _is_own(self, value):
        if isinstance(value, (list, tuple)):
            return any(self._is_own(item) for item in value)
        if not isinstance(value, torch.Tensor):
            return False
        with torch._C.DisableTorchFunction():
            tensors = [*self._model.parameters(), *self._model.buffers()]
            return any(value.data_ptr() == tensor.data_ptr() for tensor in tensors)
