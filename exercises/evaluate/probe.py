"""Evaluates small models with a solution and tells what it measured and what it left behind."""

import contextlib
import functools
import itertools
import random

import numpy
import torch
from torch import nn

from judge.kit import raised
from judge.kit.elsewhere import CUDA, Elsewhere
from judge.kit.toys import Batches, seed_dropout

FEATURES = 3
HIDDEN = 8


class LoaderBroke(Exception):
    """What a loader raises that cannot read its data."""


def measured(solution, setup):
    """One evaluation: what it returned, and whether the model built a graph."""
    model, batches, loss_fn = _build(setup)
    graphs = _graphs(model)
    returned = _called(solution, model, Batches(batches), loss_fn)
    return {"returned": returned, "graph": any(graphs)}


def measured_plainly(solution, setup):
    """Everything by keyword: batches that are lists, from a generator; the loss a partial."""
    model, batches, loss_fn = _build(setup)
    loss_fn = functools.partial(_loss_of, loss_fn)
    with torch.enable_grad():
        return _detached(solution.evaluate(loss_fn=loss_fn, loader=_Stream(batches), model=model))


def measured_elsewhere(solution, setup):
    """The batches lie on another device than the model: they away from the CPU, then the model; whether the two met."""
    model, batches, loss_fn = _build({**setup, "device": "cpu"})
    with Elsewhere(batches):
        answer = _called(solution, model, Batches(batches), loss_fn)
    with Elsewhere(batches, here=CUDA) as devices:
        raised(lambda: _called(solution, model, Batches(batches), loss_fn))  # there is none to work on
    return {"answer": answer, "met": devices.mixed}


def modes(solution, setup, arrivals):
    """Every submodule's flag before and after, for models that come in different modes."""
    answers = []
    model, batches, loss_fn = _build(setup)
    for arrives in arrivals:
        _arrive(model, arrives)
        before = _flags(model)
        _called(solution, model, Batches(batches), loss_fn)
        answers.append({"before": before, "after": _flags(model)})
    return answers


def interrupted(solution, setup, after):
    """The loader raises after so many batches; with -1 it cannot even be iterated."""
    model, batches, loss_fn = _build(setup)
    before = _flags(model)
    errors = raised(lambda: _called(solution, model, _Breaking(batches, after), loss_fn))
    return {"errors": errors, "before": before, "after": _flags(model)}


def empty(solution, setup):
    """A loader without batches, as an iterable and as a list."""
    answers = []
    for loader in (Batches([]), []):
        model, _, loss_fn = _build(setup)
        before = _flags(model)
        errors = raised(lambda model=model, loader=loader, loss_fn=loss_fn: _called(solution, model, loader, loss_fn))
        answers.append({"errors": errors, "before": before, "after": _flags(model)})
    return answers


def autograd_modes(solution, setup):
    """The autograd mode of the caller before and after, with loaders that end and with loaders that raise."""
    answers = []
    model, batches, loss_fn = _build(setup)
    for mode, breaks in itertools.product((torch.enable_grad, torch.no_grad, torch.inference_mode), (False, True)):
        loader = _Breaking(batches, 1) if breaks else Batches(batches)
        with mode():
            before = _autograd()
            with contextlib.suppress(LoaderBroke):
                solution.evaluate(model, loader, loss_fn)
            answers.append({"before": before, "after": _autograd(), "breaks": breaks})
    return answers


def belongings(solution, setup):
    """The model's parameters, gradients and buffers before and after. One parameter is frozen, one has no gradient."""
    model, batches, loss_fn = _build(setup)
    generator = torch.Generator().manual_seed(setup["seed"])
    first, *others = model.parameters()
    first.requires_grad_(False)
    for parameter in others[1:]:
        parameter.grad = (1.0 + torch.rand(parameter.shape, generator=generator)).to(setup["device"])
    before = _belongings(model)
    _called(solution, model, Batches(batches), loss_fn)
    return {"before": before, "after": _belongings(model)}


def surroundings(solution, setup):
    """What an evaluation has no business changing: batches and random streams; and what one after another returns."""
    model, batches, loss_fn = _build(setup)
    random.seed(setup["seed"])
    numpy.random.seed(setup["seed"])
    first = _called(solution, model, Batches(batches), loss_fn)
    streams = [random.random(), float(numpy.random.rand()), float(torch.rand(()))]
    _called(solution, model, Batches(batches[:1]), loss_fn)  # of which the next one must know nothing
    return {
        "batches": [[x.cpu(), y.cpu()] for x, y in batches],
        "streams": streams,
        "first": first,
        "second": _called(solution, model, Batches(batches), loss_fn),
    }


def worked_example(solution):
    """The example of the statement: the logits are the inputs, three samples in two batches."""
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Dropout(0.5))
    with torch.no_grad():
        model[0].weight.copy_(torch.eye(2))
    batches = [
        (torch.tensor([[2.0, 0.0], [0.0, 2.0]]), torch.tensor([0, 0])),
        (torch.tensor([[0.0, 2.0]]), torch.tensor([1])),
    ]
    before = _flags(model)
    returned = _called(solution, model, Batches(batches), nn.CrossEntropyLoss())
    return {"returned": returned, "before": before, "after": _flags(model)}


# --- Models and batches ----------------------------------------------------------------------------------------------


def _build(setup):
    """A model, batches and a loss; `telling` ones are drawn until the usual mistakes change their numbers by much."""
    generator = torch.Generator().manual_seed(setup["seed"])
    for _ in range(1000):
        model = _model(setup, generator).eval()
        xs = [torch.randn(size, FEATURES, generator=generator) for size in setup["sizes"]]
        with torch.no_grad():
            logits = [model(x) for x in xs]
        ys = [_labels(some, generator) for some in logits]
        if not setup["telling"] or _telling(logits, ys):
            break
    model.to(setup["device"])
    _arrive(model, setup["arrives"])
    seed_dropout(setup["seed"], setup["device"])
    batches = [(x.to(setup["device"]), y.to(setup["device"])) for x, y in zip(xs, ys, strict=True)]
    return model, batches, nn.CrossEntropyLoss(label_smoothing=setup["smoothing"])


def _model(setup, generator):
    """Three children, one of them nested: `model[0]` is the body, whose norm is `model[0][1]`."""
    norm = nn.BatchNorm1d(HIDDEN) if setup["batch_norm"] else nn.Identity()
    body = nn.Sequential(nn.Linear(FEATURES, HIDDEN), norm, nn.Tanh())
    model = nn.Sequential(body, nn.Dropout(setup["dropout"]), nn.Linear(HIDDEN, setup["classes"]))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
        for name, buffer in model.named_buffers():
            # Statistics far from those of any batch: a norm in training mode shows.
            if name.endswith("running_mean"):
                buffer.copy_(2.0 * torch.randn(HIDDEN, generator=generator))
            elif name.endswith("running_var"):
                buffer.copy_(4.0 + torch.rand(HIDDEN, generator=generator))
    return model


def _labels(logits, generator):
    """About half of the samples (B, C) get the class that the model gives them."""
    size, classes = logits.shape
    right = torch.rand(size, generator=generator) < 0.5
    return torch.where(right, logits.argmax(1), torch.randint(classes, (size,), generator=generator))  # (B,)


def _telling(logits, ys):
    """Whether no batch is like the whole, a mean of means is not the mean, and columns do not count like rows."""
    sizes = torch.tensor([float(len(y)) for y in ys])
    losses = torch.stack([nn.functional.cross_entropy(some, y) for some, y in zip(logits, ys, strict=True)])
    right = torch.stack([(some.argmax(1) == y).float().mean() for some, y in zip(logits, ys, strict=True)])
    for values in (losses, right):
        mean = (values * sizes).sum() / sizes.sum()
        if min((values - mean).abs().min(), (values.mean() - mean).abs()) < 0.04 * mean.clamp(min=0.1):
            return False
    num_right = float((right * sizes).sum())
    return all(abs(count - num_right) > 0.1 for count in _mistaken_counts(logits, ys))


def _mistaken_counts(logits, ys):
    """What is counted for right answers when columns, or all logits of a batch, are searched for their largest."""
    searches = [lambda some: some.argmax()]
    if all(len(y) in (1, some.shape[1]) for some, y in zip(logits, ys, strict=True)):  # otherwise torch raises
        searches += [lambda some: some.argmax(0), lambda some: some.softmax(1).argmax(0)]
    for search in searches:
        hits = [(search(some) == y).float() for some, y in zip(logits, ys, strict=True)]
        yield sum(float(some.sum()) for some in hits)
        yield sum(float(some.mean()) * len(y) for some, y in zip(hits, ys, strict=True))
    # Columns, or a column of answers, against a row of labels: everything is compared with everything.
    for dim in (0, 1):
        pairs = [some.argmax(dim)[:, None] == y for some, y in zip(logits, ys, strict=True)]  # (C, B) or (B, B)
        yield sum(float(some.sum()) for some in pairs)
        yield sum(float(some.float().mean()) * len(y) for some, y in zip(pairs, ys, strict=True))
        yield from (sum(float(some.any(way).sum()) for some in pairs) for way in (0, 1))
    tops = [(some == some.amax(0))[range(len(y)), y] for some, y in zip(logits, ys, strict=True)]
    yield sum(float(some.sum()) for some in tops)  # samples that have the largest logit of their class
    # Cut to the shorter of the two, columns can be compared with samples in batches of any size.
    yield sum(float((some.argmax(0)[: len(y)] == y[: some.shape[1]]).sum()) for some, y in zip(logits, ys, strict=True))


def _arrive(model, mode):
    """The modes in which a model may come to an evaluation."""
    model.train(mode not in ("eval", "drawing"))
    if mode == "frozen norm":
        model[0][1].eval()
    elif mode == "frozen body":
        model[0].eval()
    elif mode == "frozen by hand":
        model[0].training = False  # what is in it is not frozen
    elif mode == "drawing":
        model[1].train()  # dropout that draws in a model that is in eval mode


class _Stream:
    """An iterable and nothing more: no length, no index, batches that are lists."""

    def __init__(self, batches):
        self._batches = batches

    def __iter__(self):
        return ([x, y] for x, y in self._batches)


class _Breaking:
    """A loader that raises after some batches."""

    def __init__(self, batches, after):
        self._batches = batches
        self._after = after

    def __iter__(self):
        if self._after < 0:
            raise LoaderBroke("the data cannot be opened")
        return self._some()

    def _some(self):
        yield from self._batches[: self._after]
        raise LoaderBroke("a file cannot be read")


# --- What is seen ----------------------------------------------------------------------------------------------------


def _called(solution, model, loader, loss_fn):
    with torch.enable_grad():  # whatever mode is left behind, it ends here
        return _detached(solution.evaluate(model, loader, loss_fn))


def _detached(value):
    if isinstance(value, torch.Tensor):
        return value.detach().cpu().clone()
    if isinstance(value, (tuple, list)):
        return type(value)(map(_detached, value)) if type(value) in (tuple, list) else tuple(map(_detached, value))
    return value


def _graphs(model):
    """Fills with a bool for each forward pass: whether what the first layer gave has a graph."""
    graphs = []
    model[0][0].register_forward_hook(lambda module, inputs, output: graphs.append(output.requires_grad))
    return graphs


def _flags(model):
    return [module.training for module in model.modules()]


def _autograd():
    return [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]


def _belongings(model):
    return {
        "weights": [_copy(parameter) for parameter in model.parameters()],
        "trainable": [parameter.requires_grad for parameter in model.parameters()],
        "gradients": [_copy(parameter.grad) for parameter in model.parameters()],
        "buffers": [_copy(buffer) for buffer in model.buffers()],
    }


def _copy(value):
    return None if value is None else value.detach().cpu().clone()


def _loss_of(loss_fn, outputs, y):
    return loss_fn(outputs, y)
