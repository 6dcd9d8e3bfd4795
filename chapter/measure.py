"""Makes every silent failure of the crib sheet on a tiny problem and writes what happened to measured.json.

    python -m chapter.measure

One function a failure, named as the crib sheet's rows name it. Each runs the right program and the wrong one and
returns numbers; a `series` holds the two short curves that the page draws. Nothing here raises an error in torch:
that is the point. A test makes all failures again and compares.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

from chapter.loop import LINES, Run, adam, momentum, network, spiral, train, without

OUTPUT = Path(__file__).parent / "measured.json"

Number: TypeAlias = float | int | bool
Series: TypeAlias = dict[str, list[float]]
Facts: TypeAlias = Mapping[str, Number | Series]

FAILURES: dict[str, Callable[[], Facts]] = {}


def failure(function: Callable[[], Facts]) -> Callable[[], Facts]:
    FAILURES[function.__name__] = function
    return function


def curves(right: Sequence[float], wrong: Sequence[float], points: int = 30) -> Series:
    """Two curves thinned to a few points each."""

    def thin(values: Sequence[float]) -> list[float]:
        last = len(values) - 1
        places = range(len(values)) if last < points else [i * last // (points - 1) for i in range(points)]
        return [float(values[i]) for i in places]

    return {"right": thin(right), "wrong": thin(wrong)}


def accuracy(model: nn.Module, x: Tensor, y: Tensor) -> float:
    with torch.no_grad():
        return float((model(x).argmax(dim=1) == y).float().mean())


# --- the loop -------------------------------------------------------------------------------------------------


@failure
def no_zero_grad() -> Facts:
    """`zero_grad` is missing: each step sees the sum of all gradients so far."""
    right, wrong = train(without("clip")), train(without("clip", "zero"))
    clipped = train(without("zero"))
    return {
        "right": right.losses[-1],
        "wrong": wrong.losses[-1],
        "wrong_clipped": clipped.losses[-1],
        "series": curves(right.losses, [min(loss, 3.0) for loss in wrong.losses]),
    }


@failure
def zero_before_step() -> Facts:
    """`zero_grad` between `backward` and `step`: the step sees no gradient, and nothing ever moves."""
    right, wrong = train(), train(("forward", "backward", "zero", "clip", "step"))
    return {
        "right": right.losses[-1],
        "wrong": wrong.losses[-1],
        "wrong_moved": max(wrong.updates),
        "series": curves(right.losses, wrong.losses),
    }


def _spiked(order: tuple[str, ...]) -> Run:
    """Training with plain SGD in which the first weights are so large that the first gradients explode."""
    model = network()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8)
    return train(order, model=model, optimizer=lambda m: torch.optim.SGD(m.parameters(), lr=0.1), epochs=12)


@failure
def clip_before_backward() -> Facts:
    """Clipping before `backward`: there is no gradient to clip yet, so the step is as long as it likes."""
    right, wrong = _spiked(LINES), _spiked(("forward", "zero", "clip", "backward", "step"))
    return {
        "right_longest": max(right.updates),
        "wrong_longest": max(wrong.updates),
        "wrong_norm": max(wrong.norms),
        "series": curves(right.updates[:40], wrong.updates[:40]),
    }


@failure
def clip_after_step() -> Facts:
    """Clipping after `step`: the same weights as without clipping, while the logged norms look right."""
    unclipped, wrong = _spiked(without("clip")), _spiked(("forward", "zero", "backward", "step", "clip"))
    right = _spiked(LINES)
    return {
        "same_as_unclipped": unclipped.losses == wrong.losses,
        "right_longest": max(right.updates),
        "wrong_longest": max(wrong.updates),
        "wrong_norm": max(wrong.norms),
        "series": curves(right.updates[:40], wrong.updates[:40]),
    }


def _noisy_halves() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The spiral with more noise, cut into a training and a validation half."""
    x, y = spiral()
    x = x + 0.06 * torch.randn(x.shape, generator=torch.Generator().manual_seed(5))
    return x[0::2], y[0::2], x[1::2], y[1::2]


@failure
def no_train_mode() -> Facts:
    """`eval()` once and never `train()` again: no dropout, and batch norm's statistics stand still."""

    def run(back_to_train: bool) -> tuple[int, int, list[float]]:
        train_x, train_y, val_x, val_y = _noisy_halves()
        model = network(dropout=0.3, norm=True)
        losses = []

        def validate(epoch: int, model: nn.Module) -> None:
            model.eval()
            with torch.no_grad():
                losses.append(float(nn.functional.cross_entropy(model(val_x), val_y)))
            if back_to_train:
                model.train()

        train(model=model, epochs=30, on_epoch=validate, data=(train_x, train_y))
        norm = next(layer for layer in model if isinstance(layer, nn.BatchNorm1d))
        assert norm.num_batches_tracked is not None
        return int(norm.num_batches_tracked), 30 * 5, losses

    right_tracked, steps, right = run(True)
    wrong_tracked, _, wrong = run(False)
    return {
        "steps": steps,
        "right_tracked": right_tracked,
        "wrong_tracked": wrong_tracked,
        "right": right[-1],
        "wrong": wrong[-1],
        "series": curves(right, wrong),
    }


@failure
def softmax_before_loss() -> Facts:
    """A softmax in the model and again in `cross_entropy`: the loss cannot fall below a floor."""
    right, wrong = train(), train(model=nn.Sequential(*network(), nn.Softmax(dim=1)))
    return {
        "right": right.losses[-1],
        "wrong": wrong.losses[-1],
        "floor": float(nn.functional.cross_entropy(torch.tensor([[1.0, 0.0, 0.0]]), torch.tensor([0]))),
        "series": curves(right.losses, wrong.losses),
    }


@failure
def broadcast_loss() -> Facts:
    """`(B, 1)` minus `(B,)` is `(B, B)`: every prediction is pulled to every target, so all become the mean."""
    x = torch.linspace(-1, 1, 64)[:, None]  # (B, 1)
    y = 2 * x[:, 0]  # (B,)

    def run(squeeze: bool) -> tuple[list[float], float]:
        model = nn.Linear(1, 1)
        nn.init.constant_(model.weight, 0.5)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
        losses = []
        for _ in range(40):
            outputs = model(x)
            loss = ((outputs[:, 0] if squeeze else outputs) - y).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            losses.append(loss.item())
        return losses, model.weight.item()

    (right, right_slope), (wrong, wrong_slope) = run(True), run(False)
    return {
        "right": right[-1],
        "wrong": wrong[-1],
        "right_slope": right_slope,
        "wrong_slope": wrong_slope,
        "series": curves(right, wrong),
    }


@failure
def replaced_head() -> Facts:
    """The last layer is replaced after the optimizer was made: the optimizer still holds the layer thrown away."""

    def run(optimizer_last: bool) -> tuple[Run, float]:
        model = network()
        old = adam(model)
        torch.manual_seed(7)
        model[-1] = nn.Linear(48, 3)
        head = model[-1].weight.detach().clone()
        result = train(model=model, optimizer=adam if optimizer_last else lambda _: old)
        return result, float((model[-1].weight.detach() - head).norm())

    (right, right_moved), (wrong, wrong_moved) = run(True), run(False)
    return {
        "right_moved": right_moved,
        "wrong_moved": wrong_moved,
        "right": right.losses[-1],
        "wrong": wrong.losses[-1],
        "series": curves(right.losses, wrong.losses),
    }


@failure
def half_after_optimizer() -> Facts:
    """`model.half()`, before or after the optimizer is made: the parameters stay the same objects, and are 16-bit."""
    x, y = spiral()
    model = network()
    optimizer = adam(model)
    before = [id(parameter) for parameter in model.parameters()]
    model.half()
    same = before == [id(parameter) for parameter in model.parameters()]
    losses = []
    for _ in range(3):
        loss = nn.functional.cross_entropy(model(x.half()), y)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(loss.item())

    weights = {dtype: nn.Parameter(torch.ones(1, dtype=dtype)) for dtype in (torch.float32, torch.float16)}
    for weight in weights.values():
        sgd = torch.optim.SGD([weight], lr=1e-4)
        for _ in range(100):
            weight.grad = torch.ones_like(weight)
            sgd.step()
    return {
        "same_objects": same,
        "first_loss": losses[0],
        "nan_after_steps": next(i for i, loss in enumerate(losses) if loss != loss),
        "weight_32": weights[torch.float32].item(),
        "weight_16": weights[torch.float16].item(),
    }


# --- measuring ------------------------------------------------------------------------------------------------


@failure
def no_eval() -> Facts:
    """Validation in training mode: dropout makes the number noisy, and batch norm learns from validation data."""
    train_x, train_y, val_x, val_y = _noisy_halves()
    model = network(dropout=0.3, norm=True)
    train(model=model, epochs=30, data=(train_x, train_y))

    def measure() -> float:
        with torch.no_grad():
            return float(nn.functional.cross_entropy(model(val_x), val_y))

    norm = next(layer for layer in model if isinstance(layer, nn.BatchNorm1d))
    model.eval()
    right = [measure() for _ in range(20)]
    assert norm.running_mean is not None
    before = norm.running_mean.clone()
    model.train()
    torch.manual_seed(3)
    wrong = [measure() for _ in range(20)]
    return {
        "right": right[0],
        "right_spread": max(right) - min(right),
        "wrong_mean": sum(wrong) / len(wrong),
        "wrong_spread": max(wrong) - min(wrong),
        "statistics_moved": float((norm.running_mean - before).norm()),
        "series": curves(right, wrong),
    }


class _Held:
    """Counts the bytes that autograd keeps for a backward pass, while they are kept."""

    bytes_now = 0

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor.detach()
        self.size = tensor.numel() * tensor.element_size()
        _Held.bytes_now += self.size

    def __del__(self) -> None:
        _Held.bytes_now -= self.size


def held_kib(batches: int, keep: bool, backward: bool = False) -> list[float]:
    """KiB that autograd keeps after each batch of a pass with autograd on; `keep` puts each loss in a list."""
    x, y = spiral()
    model = network(width=128)
    kept, held = [], []
    with torch.autograd.graph.saved_tensors_hooks(_Held, lambda box: box.tensor):
        for _ in range(batches):
            loss = nn.functional.cross_entropy(model(x), y)
            if backward:
                loss.backward()  # type: ignore[no-untyped-call]
            if keep:
                kept.append(loss)
            held.append(_Held.bytes_now / 1024)
    return held


@failure
def no_no_grad() -> Facts:
    """Validation with autograd on: one batch's graph is held, not more, as long as nothing keeps the losses."""
    dropped, kept = held_kib(10, keep=False), held_kib(10, keep=True)
    return {
        "one_batch_kib": dropped[0],
        "ten_batches_kib": dropped[-1],
        "kept_kib": kept[-1],
        "series": curves(dropped, kept),
    }


def graph_nodes(loss: Tensor) -> int:
    """The number of autograd nodes that a tensor keeps alive."""
    seen = set()
    todo = [loss.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo.extend(following for following, _ in node.next_functions)
    return len(seen)


@failure
def logs_the_tensor() -> Facts:
    """`total += loss` with the graph still on it: after backward the data is freed, the nodes are not."""
    x, y = spiral()
    model = network()

    def run(detach: bool) -> list[int]:
        total = torch.zeros(())
        nodes = []
        for _ in range(100):
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()  # type: ignore[no-untyped-call]
            total = total + (loss.detach() if detach else loss)
            nodes.append(graph_nodes(total))
        return nodes

    right, wrong = run(True), run(False)
    after_backward = held_kib(10, keep=True, backward=True)
    return {
        "right_nodes": right[-1],
        "wrong_nodes": wrong[-1],
        "held_after_backward_kib": after_backward[-1],
        "series": curves(right, wrong),
    }


@failure
def mean_of_batch_means() -> Facts:
    """The mean of batch means counts a sample of the short last batch as many."""
    losses = torch.tensor([1.0] * 64 + [9.0])
    batches = losses.split(64)
    return {
        "right": float(losses.mean()),
        "wrong": sum(float(batch.mean()) for batch in batches) / len(batches),
    }


@failure
def validation_moves_the_stream() -> Facts:
    """A loader without a generator draws from the global stream even when it does not shuffle."""
    x, y = spiral()

    def run(generator: torch.Generator | None, validate: bool) -> Run:
        loader = DataLoader(TensorDataset(x, y), batch_size=225, generator=generator)

        def validation(epoch: int, model: nn.Module) -> None:
            model.eval()  # no dropout, so the validation itself draws nothing
            with torch.no_grad():
                for xb, _ in loader:
                    model(xb)
            model.train()

        model = network(dropout=0.3)
        return train(model=model, epochs=10, on_epoch=validation if validate else None)

    never = run(None, False)
    without_generator, with_generator = run(None, True), run(torch.Generator(), True)

    def same(other: Run) -> bool:
        return all(
            torch.equal(a, b) for a, b in zip(never.model.parameters(), other.model.parameters(), strict=True)
        )

    return {"right_same": same(with_generator), "wrong_same": same(without_generator)}


# --- the rate -------------------------------------------------------------------------------------------------


@failure
def scheduler_in_batch_loop() -> Facts:
    """A schedule meant to step once an epoch steps once a batch: the cosine runs down, and up, again and again."""
    epochs, batches = 10, 7

    def run(every_batch: bool) -> list[float]:
        optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=1.0)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
        rates = []
        for _ in range(epochs):
            for _ in range(batches):
                rates.append(float(optimizer.param_groups[0]["lr"]))
                optimizer.step()
                if every_batch:
                    scheduler.step()
            if not every_batch:
                scheduler.step()
        return rates

    right, wrong = run(False), run(True)
    return {
        "right_last": right[-1],
        "wrong_last": wrong[-1],
        "wrong_epochs_to_zero": next(i for i, rate in enumerate(wrong) if rate < 1e-9) / batches,
        "wrong_rises": sum(b > a for a, b in itertools.pairwise(wrong)),
        "series": curves(right, wrong, points=70),
    }


@failure
def scheduler_made_after_loading() -> Facts:
    """Resume: a scheduler made after the optimizer's state was loaded sets the rate back to its start."""

    def parts() -> torch.optim.Optimizer:
        return torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.0)

    def schedule(optimizer: torch.optim.Optimizer) -> torch.optim.lr_scheduler.LambdaLR:
        return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 - epoch / 10)

    optimizer = parts()
    scheduler = schedule(optimizer)
    for _ in range(6):
        optimizer.step()
        scheduler.step()
    saved, saved_schedule = copy.deepcopy(optimizer.state_dict()), copy.deepcopy(scheduler.state_dict())

    right = parts()
    right_schedule = schedule(right)
    right.load_state_dict(saved)
    right_schedule.load_state_dict(saved_schedule)
    wrong = parts()
    wrong.load_state_dict(saved)
    schedule(wrong).load_state_dict(saved_schedule)
    return {
        "saved": float(optimizer.param_groups[0]["lr"]),
        "right": float(right.param_groups[0]["lr"]),
        "wrong": float(wrong.param_groups[0]["lr"]),
    }


# --- stopping and going on ------------------------------------------------------------------------------------


@failure
def aliased_state() -> Facts:
    """`best = model.state_dict()` without a copy: the best weights go on training with the model."""
    torch.manual_seed(0)
    x, val_x = torch.randn(24, 10), torch.randn(200, 10)
    slope = torch.randn(10)
    y, val_y = x @ slope + 2 * torch.randn(24), val_x @ slope
    model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses: list[float] = []
    alias: Mapping[str, Tensor] = {}
    copied: Mapping[str, Tensor] = {}

    def validate() -> float:
        with torch.no_grad():
            return float((model(val_x)[:, 0] - val_y).pow(2).mean())

    for _ in range(120):
        loss = (model(x)[:, 0] - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if not losses or validate() < min(losses):
            alias, copied = model.state_dict(), copy.deepcopy(model.state_dict())
        losses.append(validate())
    model.load_state_dict(alias)
    wrong = validate()
    model.load_state_dict(copied)
    return {
        "best": min(losses),
        "last": losses[-1],
        "wrong": wrong,
        "right": validate(),
        "series": {"right": curves(losses, losses)["right"], "wrong": []},
    }


@failure
def resume_without_optimizer() -> Facts:
    """Only the weights are saved: Adam starts again with empty moments, and its first steps are as long as its first."""
    x, y = spiral()

    def run(stop_at: int | None, keep: bool) -> tuple[list[float], list[float]]:
        model = network()
        optimizer = adam(model)
        losses, steps = [], []
        for step in range(160):
            if step == stop_at:
                state = copy.deepcopy(optimizer.state_dict())
                optimizer = adam(model)
                if keep:
                    optimizer.load_state_dict(state)
            loss = nn.functional.cross_entropy(model(x), y)
            before = torch.cat([p.detach().flatten() for p in model.parameters()])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            losses.append(loss.item())
            steps.append(
                float((torch.cat([p.detach().flatten() for p in model.parameters()]) - before).norm())
            )
        return losses, steps

    never, right, wrong = run(None, True), run(100, True), run(100, False)
    return {
        "right_same": never == right,
        "loss_before": never[0][100],
        "right_worst": max(right[0][100:]),
        "wrong_worst": max(wrong[0][100:]),
        "right_step": right[1][100],
        "wrong_step": wrong[1][100],
        "series": curves(right[0][90:130], wrong[0][90:130], points=40),
    }


@failure
def resume_without_shuffle_state() -> Facts:
    """The loader's generator is not saved: after each stop the run sees the first epoch's order again."""
    data = list(range(8))

    def orders(stop: bool) -> list[list[int]]:
        generator = torch.Generator().manual_seed(0)
        seen = []
        for _ in range(4):
            if stop:
                generator = torch.Generator().manual_seed(0)
            loader = DataLoader(data, batch_size=8, shuffle=True, generator=generator)
            seen.append([int(i) for batch in loader for i in batch])
        return seen

    return {
        "right_orders": len({tuple(order) for order in orders(False)}),
        "wrong_orders": len({tuple(order) for order in orders(True)}),
    }


# --- precision and accumulation -------------------------------------------------------------------------------


def _scaled(right_order: bool, optimizer_class: type[torch.optim.Optimizer], lr: float) -> list[float]:
    """Training through a gradient scaler, with clipping after or before the gradients are unscaled."""
    x, y = spiral()
    model = network()
    optimizer = optimizer_class(model.parameters(), lr=lr)  # type: ignore[call-arg]
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16)
    losses = []
    for _ in range(150):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        if right_order:
            scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


@failure
def clip_before_unscale() -> Facts:
    """Clipping the scaled gradients: after unscaling they are tens of thousands of times too short."""
    right, wrong = _scaled(True, torch.optim.SGD, 0.5), _scaled(False, torch.optim.SGD, 0.5)
    adam_right, adam_wrong = _scaled(True, torch.optim.Adam, 0.01), _scaled(False, torch.optim.Adam, 0.01)
    return {
        "first": right[0],
        "right": right[-1],
        "wrong": wrong[-1],
        "adam_right": adam_right[-1],
        "adam_wrong": adam_wrong[-1],
        "series": curves(right, wrong),
    }


@failure
def accumulate_unscaled() -> Facts:
    """Gradients of several batches are added without dividing; and dividing by their number is not enough either."""
    x, y = spiral()
    model = network()
    sizes = [64, 64, 2]
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))[: sum(sizes)]

    def gradient(weights: Sequence[float]) -> Tensor:
        model.zero_grad()
        for part, weight in zip(order.split(sizes), weights, strict=True):
            loss = nn.functional.cross_entropy(model(x[part]), y[part])
            (loss * weight).backward()  # type: ignore[no-untyped-call]
        return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])

    model.zero_grad()
    nn.functional.cross_entropy(model(x[order]), y[order]).backward()  # type: ignore[no-untyped-call]
    whole = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])

    def error(weights: Sequence[float]) -> float:
        return float((gradient(weights) - whole).norm() / whole.norm())

    return {
        "right_error": error([size / sum(sizes) for size in sizes]),
        "unscaled_ratio": float(gradient([1, 1, 1]).norm() / whole.norm()),
        "equal_weights_error": error([1 / 3] * 3),
    }


# --- the data -------------------------------------------------------------------------------------------------


@failure
def no_shuffle() -> Facts:
    """Sorted data and no shuffling: every batch is of one class, and pulls the model towards that class alone."""
    x, y = spiral()
    right, wrong = train(optimizer=momentum, epochs=20), train(optimizer=momentum, epochs=20, shuffle=False)
    return {
        "right_accuracy": accuracy(right.model, x, y),
        "wrong_accuracy": accuracy(wrong.model, x, y),
        "right": right.losses[-1],
        "wrong": wrong.losses[-1],
        "series": curves(right.losses, wrong.losses),
    }


@failure
def mask_from_value() -> Facts:
    """The mask is `padded != 0`, and 0 is also a token: real tokens are taken for padding."""
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(2, 9, (64,), generator=generator).tolist()
    sequences = [torch.randint(0, 10, (length,), generator=generator) for length in lengths]
    padded = nn.utils.rnn.pad_sequence(sequences, batch_first=True)  # (B, T)
    right = torch.arange(padded.shape[1]) < torch.tensor(lengths)[:, None]  # (B, T)
    wrong = padded != 0
    return {
        "tokens": int(right.sum()),
        "lost": int((right & ~wrong).sum()),
        "lost_share": float((right & ~wrong).sum() / right.sum()),
    }


class _Augmented(Dataset[tuple[float, float]]):
    """Samples with two draws each: from a generator the dataset holds, and from Python's global stream."""

    def __init__(self) -> None:
        self.own = random.Random(0)

    def __len__(self) -> int:
        return 16

    def __getitem__(self, index: int) -> tuple[float, float]:
        return self.own.random(), random.random()


@failure
def worker_streams() -> Facts:
    """A generator kept in the dataset is copied into every worker; the global streams are seeded apart by torch."""

    def draws() -> Iterator[tuple[float, float]]:
        generator = torch.Generator().manual_seed(0)
        loader = DataLoader(
            _Augmented(), batch_size=None, num_workers=2, generator=generator, multiprocessing_context="fork"
        )
        for _ in range(2):
            yield from loader

    own, worldwide = zip(*draws(), strict=True)
    return {"samples": len(own), "own_distinct": len(set(own)), "global_distinct": len(set(worldwide))}


@failure
def pinning_without_workers() -> Facts:
    """`pin_memory=True` with `num_workers=0`: the main process pins each batch itself (seen with a stand-in)."""
    from torch.utils.data._utils import pin_memory as module

    pinned = []
    original = module.pin_memory

    def stand_in(data: object, device: object = None) -> object:
        pinned.append(data)
        return data

    loader = iter(DataLoader(TensorDataset(torch.zeros(4, 1)), batch_size=2, num_workers=0))
    loader._pin_memory = True  # what the loader sets itself where there is an accelerator
    module.pin_memory = stand_in
    try:
        batches = len(list(loader))
    finally:
        module.pin_memory = original
    return {"batches": batches, "pinned": len(pinned)}


def measure() -> dict[str, Facts]:
    return {name: make() for name, make in FAILURES.items()}


def rounded(value: object) -> object:
    """Four significant digits: more would only be noise from machine to machine."""
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    assert isinstance(value, list)
    return [rounded(item) for item in value]


def main() -> None:
    lines = [f" {json.dumps(name)}: {json.dumps(rounded(facts))}" for name, facts in measure().items()]
    OUTPUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
