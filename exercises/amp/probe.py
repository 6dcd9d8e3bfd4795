"""Calls `train_step` on toy models, batch by batch, and tells what is left: weights, scaler, answers, events."""

import contextlib
import functools
import random
import warnings

import numpy
import torch
from torch import nn

from judge.kit import raised
from judge.kit.elsewhere import CUDA, Elsewhere
from judge.kit.record import Recorder
from judge.kit.toys import classification, mlp, regression, seed_dropout, state, steps_freely

EVENTS = ("call", "forward", "backward", "clip", "unscale", "step", "update")


def train(solution, setup):
    """One call for each batch, all with the same scaler."""
    run = Run(setup)
    with Recorder(run.model, run.optimizer) as record:
        run.scaler.record = record
        weights, losses, stepped, scales = [], [], [], []
        for index in range(len(run.batches)):
            record.note("call")
            loss, step = _pair(run.call(solution, index, record.loss(run.loss)))
            weights.append(state(run.model, run.optimizer)["weights"])
            losses.append(loss)
            stepped.append(step)
            scales.append([run.scaler.get_scale(), run.scaler.state_dict().get("_growth_tracker")])
    return {
        **state(run.model, run.optimizer),
        "weights": weights,  # after each call
        "losses": losses,
        "stepped": stepped,
        "scales": scales,
        "steps_around_the_scaler": run.steps_around_the_scaler,
        "model_dtypes": run.model_dtypes,
        "loss_dtypes": run.loss_dtypes,
        "log": record.events,
        "events": [event for event in record.events if event in EVENTS],
    }


def first_step(solution, setup):
    """Everything by keyword, nothing that has a default, and a scaler that was never used."""
    run = Run(setup, scaler=torch.amp.GradScaler(setup["device"]))
    x, y = run.batches[0]
    error = ""

    def call():
        nonlocal error
        options = {"scaler": run.scaler, "optimizer": run.optimizer, "loss_fn": functools.partial(run.loss)}
        try:
            with _autocast_restored():
                solution.train_step(**options, y=y, x=x, model=run.model)
        except Exception as raising:
            error = str(raising)
            raise

    kinds = raised(call)
    return {
        **state(run.model, run.optimizer),
        "raised": kinds,
        "error": error,
        "model_dtypes": run.model_dtypes,
        "loss_dtypes": run.loss_dtypes,
        "scale": run.scaler.get_scale(),
    }


def autocast_devices(solution, setup):
    """The types of device that autocast was entered for, by a model on another device than usual.

    With an accelerator that is the CPU; without one, a mode has model and batch say that they are on one. Only what was
    entered counts: there is no accelerator that the rest of the step could run on.
    """
    elsewhere = "cuda" if setup["device"] == "cpu" else "cpu"
    run = Run({**setup, "device": "cpu"}, scaler=torch.amp.GradScaler(elsewhere, enabled=False))
    with contextlib.ExitStack() as stack:
        if elsewhere == "cuda":
            stack.enter_context(Elsewhere([], here=CUDA))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # torch says that there is no such device here
        entered = stack.enter_context(_autocasts())
        raised(lambda: run.call(solution, 0, run.loss))
    return {"model": elsewhere, "entered": entered}


def surroundings(solution, setup):
    """What a step has no business changing: batches, settings, random streams, autocast."""
    run = Run(setup)
    for index in range(len(run.batches)):
        run.call(solution, index, run.loss)
    settings = run.scaler.state_dict()
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in run.batches],
        "rates": [[group["lr"], group["weight_decay"]] for group in run.optimizer.param_groups],
        "trainable": [parameter.requires_grad for parameter in run.model.parameters()],
        "scaler": [settings[name] for name in ("growth_factor", "backoff_factor", "growth_interval")],
        "streams": [random.random(), float(numpy.random.rand()), float(torch.rand(()))],
        "autocast_on": bool(run.autocast_left_on),
        "free": steps_freely(run.model, run.optimizer),
    }


def worked_example(solution):
    """One weight, 0.5, and two batches: the example of the statement."""
    model = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(0.5)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    steps = []
    for first in (1.0, float("inf")):
        x, y = torch.tensor([[first], [2.0]]), torch.tensor([[2.0], [4.0]])  # (2, 1) both
        with _autocast_restored():
            loss, stepped = _pair(solution.train_step(model, x, y, nn.MSELoss(), optimizer, scaler))
        steps.append({"loss": loss, "stepped": stepped, "weight": model.weight.item(), "scale": scaler.get_scale()})
    return {"steps": steps}


class Run:
    """A model, its batches, loss, optimizer and scaler, as `setup` says."""

    def __init__(self, setup, scaler=None):
        device = setup["device"]
        self.setup = setup
        self.model_dtypes, self.loss_dtypes = [], []
        self.autocast_left_on = []  # for which types of device, after any call
        self.model = _model(setup, self.model_dtypes)
        if setup["task"] == "classification":
            batches, self._loss = classification(setup["seed"], setup["sizes"]), nn.CrossEntropyLoss()
        else:
            batches = regression(setup["seed"], setup["sizes"], scales=setup["scales"])
            self._loss = nn.MSELoss()
        self.batches = [
            (_with_nan(x) if kind == "nan" else x, y) for (x, y), kind in zip(batches, setup["kinds"], strict=True)
        ]
        self.batches = [(x.to(device), y.to(device)) for x, y in self.batches]
        self.optimizer = _optimizer(setup, self.model)
        self._weights = [parameter.detach().clone() for parameter in self.model.parameters()]
        self.steps_around_the_scaler = 0
        self.scaler = RecordedScaler(device, **setup["scaler"]) if scaler is None else scaler
        if scaler is None:
            self.optimizer.register_step_pre_hook(self._stepping)
            self.scaler.scale(torch.ones((), device=device))  # it has scaled before
        random.seed(setup["seed"])
        numpy.random.seed(setup["seed"])
        seed_dropout(setup["seed"], device)

    def call(self, solution, index, loss_fn):
        """What `train_step` returns for the batch at `index`.

        Each call begins with the same weights; gradients, momentum and scaler go on. Otherwise the last digit of a
        weight could make it round to another number in half precision, and the steps after it would differ visibly.
        """
        x, y = self.batches[index]
        with torch.no_grad():
            for parameter, first in zip(self.model.parameters(), self._weights, strict=True):
                parameter.copy_(first)
        hook = self._overflow(self.setup["kinds"][index])
        max_norm, dtype = self.setup["max_norm"], getattr(torch, self.setup["dtype"])
        with _autocast_restored() as left_on:
            returned = solution.train_step(self.model, x, y, loss_fn, self.optimizer, self.scaler, max_norm, dtype)
        if hook is not None:
            hook.remove()
        self.autocast_left_on += left_on
        return returned

    def _stepping(self, *_):
        self.steps_around_the_scaler += not self.scaler.stepping

    def _overflow(self, kind):
        """Lets the gradient of the first or the last parameter alone be infinite, until the hook is removed."""
        parameters = list(self.model.parameters())
        overflowing = {"first": parameters[0], "last": parameters[-1]}.get(kind)
        return None if overflowing is None else overflowing.register_hook(_infinite)

    def loss(self, outputs, y):
        """The loss, noting in which precision a product of matrices is taken around it."""
        one = torch.ones(1, 1, device=self.setup["device"])
        self.loss_dtypes.append(_name((one @ one).dtype))
        return self._loss(outputs, y)


class RecordedScaler(torch.amp.GradScaler):
    """A scaler that notes what it is asked to do."""

    record = None
    stepping = False

    def unscale_(self, optimizer):
        with self._noting("unscale"):
            super().unscale_(optimizer)

    def step(self, optimizer, *args, **kwargs):
        self.stepping = True
        try:
            with self._noting(None):  # the optimizer's own hook notes the step
                return super().step(optimizer, *args, **kwargs)
        finally:
            self.stepping = False

    def update(self, new_scale=None):
        with self._noting("update"):
            super().update(new_scale)

    @contextlib.contextmanager
    def _noting(self, event):
        """What the scaler does by itself inside is not noted: neither its calls nor its work on gradients."""
        record, self.record = self.record, None
        if record is not None and event is not None:
            record.note(event)
        try:
            with torch._C.DisableTorchFunction():
                yield
        finally:
            self.record = record


class Watch(nn.Module):
    """Passes its input on, noting the precision in which it was computed."""

    def __init__(self, dtypes):
        super().__init__()
        self._dtypes = dtypes

    def forward(self, x):
        self._dtypes.append(_name(x.dtype))
        return x


def _model(setup, dtypes):
    outputs = 3 if setup["task"] == "classification" else 1
    model = mlp(setup["seed"], 3, setup["hidden"], outputs, dropout=setup["dropout"], batch_norm=setup["batch_norm"])
    if setup["frozen"]:
        model[0].bias.requires_grad_(False)
    return model.append(Watch(dtypes)).to(setup["device"])


def _optimizer(setup, model):
    body, head = list(model[:-2].parameters()), list(model[-2].parameters())
    groups = [{"params": body}, {"params": head, "lr": setup["head_lr"], "weight_decay": 0.0}]
    common = {"lr": setup["lr"], "weight_decay": setup["weight_decay"]}
    if setup["optimizer"] == "adam":
        return torch.optim.Adam(groups, eps=1e-3, **common)
    return torch.optim.SGD(groups, momentum=setup["momentum"], **common)


def _with_nan(x):
    x = x.clone()
    x[-1, 0] = float("nan")
    return x


def _infinite(gradient):
    """The gradient with one entry that is not finite, as after an overflow."""
    gradient = gradient.clone()
    gradient.view(-1)[0] = float("inf")
    return gradient


@contextlib.contextmanager
def _autocast_restored():
    """Sets autocast back to what it was, and gives the types of device for which it was left on."""
    types, left_on = ("cpu", "cuda"), []
    before = [(torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind)) for kind in types]
    try:
        yield left_on
    finally:
        for kind, (enabled, dtype) in zip(types, before, strict=True):
            if torch.is_autocast_enabled(kind) and not enabled:
                left_on.append(kind)
            torch.set_autocast_enabled(kind, enabled)
            torch.set_autocast_dtype(kind, dtype)


@contextlib.contextmanager
def _autocasts():
    """The types of device for which autocast is entered meanwhile, each once."""
    entered, original = [], torch.autocast.__enter__

    def noted(autocast):
        if autocast.device not in entered and (autocast._enabled or autocast.device == "cuda"):
            entered.append(autocast.device)
        return original(autocast)

    torch.autocast.__enter__ = noted
    try:
        yield entered
    finally:
        torch.autocast.__enter__ = original


def _pair(returned):
    """Loss and whether the optimizer stepped; nothing where something else came back."""
    if not (isinstance(returned, (tuple, list)) and len(returned) == 2):
        return None, None
    return _plain(returned[0]), _plain(returned[1])


def _plain(value):
    return value.detach().cpu().clone() if isinstance(value, torch.Tensor) else value


def _name(dtype):
    return str(dtype).removeprefix("torch.")
