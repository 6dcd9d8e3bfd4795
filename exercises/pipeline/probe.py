"""Has a solution split, and run its pipeline on the data it is given; tells what came back, as plain numbers.

While a pipeline runs, its `predict` is asked about given points after each epoch. Where test rows are to be watched,
they lie far away from all others, and every operation of torch between two epochs is looked at: does it compute with
them?
"""

import contextlib
import numbers
import operator
import os
import random
import time

import numpy
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from judge.kit import raised

FAR = 1000.0  # rows of training and validation stay far below, raw and standardised; watched rows lie far above
CALLBACKS_TOO_MANY = 5  # after these, a program that never stops is stopped


def splits(solution, cases):
    """What `split` returns for each case, and whether the global random streams are where they were before."""
    return [_in_process(solution, _split, **case) for case in cases]


def refusals(solution, cases):
    """The error that `split` raises for each case."""
    return [raised(lambda case=case: solution.split(*case)) for case in cases]


def run(solution, setup):
    """One run of the pipeline."""
    return _in_process(solution, _run, **setup)


def runs(solution, setups):
    """One run after the other in the same process."""
    return [_in_process(solution, _run, **setup) for setup in setups]


def _in_process(solution, call, *, process=0, **given):
    """The call with what differs from one process to the next: the hash of a text, the process's number, the time.

    All boxes come from one process and begin in the same second, so these are changed by hand. Only the learner's own
    `hash` is: torch keeps things by the other.
    """

    def has_text(value):
        return isinstance(value, (str, bytes)) or (isinstance(value, tuple) and any(map(has_text, value)))

    clock = time.time
    changed = (
        (solution, "hash", lambda value: hash((process, value)) if has_text(value) else hash(value)),
        (os, "getpid", lambda: 1000 + process),
        (time, "time", lambda: clock() + 3600 * process),
    )
    with contextlib.ExitStack() as stack:
        for owner, name, other in changed if process else ():
            if hasattr(owner, name):
                stack.callback(setattr, owner, name, getattr(owner, name))
            else:
                stack.callback(delattr, owner, name)
            setattr(owner, name, other)
        return call(solution, **given)


# --- split -----------------------------------------------------------------------------------------------------------


def _split(solution, num_samples, fractions, seed, noise, by_name=False):
    _scramble(noise)
    before = _streams()
    if by_name:
        parts = solution.split(seed=seed, fractions=fractions, num_samples=num_samples)
    else:
        parts = solution.split(num_samples, fractions, seed)
    untouched = _streams() == before
    if not isinstance(parts, (tuple, list)):
        return {"parts": type(parts).__name__, "untouched": untouched}
    return {"parts": [_indices(part) for part in parts], "untouched": untouched}


def _indices(part):
    """The part as a list of int; the name of a type where it is no list of numbers."""
    if not isinstance(part, list):
        return type(part).__name__
    strange = [item for item in part if not isinstance(item, numbers.Integral) or isinstance(item, bool)]
    return f"list of {type(strange[0]).__name__}" if strange else [int(item) for item in part]


def _scramble(noise):
    """The global streams somewhere else than ever before."""
    random.seed(noise)
    numpy.random.seed(noise)
    torch.manual_seed(noise)


def _streams():
    kind, keys, *place = numpy.random.get_state()
    return [random.getstate(), [kind, keys.tolist(), *place], torch.get_rng_state().tolist()]


# --- run -------------------------------------------------------------------------------------------------------------


def _run(
    solution,
    x,
    y,
    num_classes,
    seed,
    *,
    device,
    noise,
    points,
    train=(),
    watched=(),
    options=(),
    by_name=False,
    quiet=False,
):
    """Train, and ask about `points` after each epoch and in the end; `quiet` gives no `on_epoch`."""
    x, y, points = (tensor.clone().to(device) for tensor in (x, y, points))
    options = dict(options)
    diary = _Diary(points, options.get("max_epochs", 200))
    _scramble(noise)
    watch = _Watch(watched, len(x)) if watched else contextlib.nullcontext()
    if not quiet:
        options["on_epoch"] = watch.between(diary) if watched else diary
    with watch:
        if by_name:
            returned = solution.run(seed=seed, num_classes=num_classes, y=y, x=x, **options)
        else:
            returned = solution.run(x, y, num_classes, seed, **options)
    answer = {"x": x.cpu().clone(), "y": y.cpu().clone(), "epochs": diary.epochs, "seen": diary.answers}
    if not isinstance(returned, dict):
        return {**answer, "returned": type(returned).__name__}
    return {
        **answer,
        "returned": [key for key, value in returned.items() if isinstance(key, str) and value is not None],
        "train_loss": _numbers(returned.get("train_loss")),
        "val_loss": _numbers(returned.get("val_loss")),
        "best_epoch": _index(returned.get("best_epoch")),
        "test_accuracy": _number(returned.get("test_accuracy")),
        "predicted": _asked(returned.get("predict"), points),
        "alone": [_asked(returned.get("predict"), point) for point in points[:3].split(1)],
        "model": _outputs(returned.get("model"), x[list(train)] if train else x, points),
        "touched": watch.touched if watched else False,
    }


class _Diary:
    """The `on_epoch` that asks about points."""

    def __init__(self, points, max_epochs):
        self._points = points
        self._max_epochs = max_epochs
        self.epochs = []
        self.answers = []

    def __call__(self, epoch, predict):
        self.epochs.append(_index(epoch))
        self.answers.append(_asked(predict, self._points))
        if len(self.epochs) > self._max_epochs + CALLBACKS_TOO_MANY:
            raise RuntimeError(f"training was to end after {self._max_epochs} epochs at most, and it still went on")


def _asked(predict, points):
    """The probabilities (M, C) of points; the name of a type where `predict` gives something else."""
    if not callable(predict):
        return type(predict).__name__
    answer = predict(points.clone())
    if isinstance(answer, numpy.ndarray):
        answer = torch.as_tensor(answer)
    if not isinstance(answer, torch.Tensor):
        return type(answer).__name__
    return answer.detach().float().cpu().clone()


def _outputs(model, train, points):
    """What the model says of the points, raw and standardised; nothing where it takes neither."""
    if not isinstance(model, nn.Module):
        return []
    model.eval()
    found = []
    for inputs in (points, (points - train.mean(dim=0)) / train.std(dim=0)):
        with contextlib.suppress(Exception), torch.no_grad():
            output = model(inputs)
            if isinstance(output, torch.Tensor):
                found.append(output.detach().float().cpu().clone())
    return found


def _numbers(values):
    if not isinstance(values, (list, tuple)):
        return type(values).__name__
    return [_number(value) for value in values]


def _number(value):
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):
        return type(value).__name__


def _index(value):
    if value is None or isinstance(value, bool):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return type(value).__name__


class _Watch(TorchFunctionMode):
    """Sees whether something is computed with the watched rows between two calls of `on_epoch`."""

    def __init__(self, watched, num_samples):
        super().__init__()
        self.touched = False
        self._suspected = False
        self._open = False
        self._watched = set(watched)
        self._num_samples = num_samples

    def between(self, on_epoch):
        def called(epoch, predict):
            self.touched = self.touched or self._suspected
            self._open = False
            on_epoch(epoch, predict)
            self._open = True

        return called

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self._open and not self._suspected:
            name = getattr(func, "__name__", "")
            self._suspected = any(_far(tensor) for tensor in _tensors((*args, *kwargs.values()))) or (
                name in ("__getitem__", "index_select", "take") and self._takes_watched(args, kwargs)
            )
        return func(*args, **kwargs)

    def _takes_watched(self, args, kwargs):
        """Whether just the watched rows are taken out of something that has a row for each sample."""
        if not isinstance(args[0], torch.Tensor) or args[0].shape[:1] != (self._num_samples,):
            return False
        for index in (*args[1:], *kwargs.values()):
            index = index[0] if isinstance(index, tuple) and index else index
            if isinstance(index, torch.Tensor):
                index = (index.nonzero().flatten() if index.dtype == torch.bool else index.flatten()).tolist()
            if isinstance(index, list) and all(isinstance(i, int) for i in index) and set(index) == self._watched:
                return True
        return False


def _far(tensor):
    """Whether these are rows that lie far away, several of them: a mean over far rows is far too."""
    if not tensor.is_floating_point() or tensor.shape[-1:] != (2,) or tensor.numel() < 4:
        return False
    return bool((tensor.detach() > FAR).all())


def _tensors(values):
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)
