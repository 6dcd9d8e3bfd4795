"""Measuring that changes what it measures, or counts wrongly, or keeps too much."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from chapter.failures import Facts, curves, failure
from chapter.loop import Run, network, noisy_halves, spiral, train


@failure
def no_eval() -> Facts:
    """Validation in training mode: dropout makes the number noisy, and batch norm learns from validation data."""
    train_x, train_y, val_x, val_y = noisy_halves()
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
                loss.backward()
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
            loss.backward()
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
        return all(torch.equal(a, b) for a, b in zip(never.model.parameters(), other.model.parameters(), strict=True))

    return {"right_same": same(with_generator), "wrong_same": same(without_generator)}
