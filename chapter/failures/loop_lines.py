"""Lines of the loop that are missing, misplaced, or given something of another shape."""

from __future__ import annotations

import torch
from torch import nn

from chapter.failures import Facts, curves, failure
from chapter.loop import LINES, Run, adam, network, noisy_halves, spiral, train, without


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


@failure
def no_train_mode() -> Facts:
    """`eval()` once and never `train()` again: no dropout, and batch norm's statistics stand still."""

    def run(back_to_train: bool) -> tuple[int, int, list[float]]:
        train_x, train_y, val_x, val_y = noisy_halves()
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
            loss.backward()
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
        head = model[-1] = nn.Linear(48, 3)
        start = head.weight.detach().clone()
        result = train(model=model, optimizer=adam if optimizer_last else lambda _: old)
        return result, float((head.weight.detach() - start).norm())

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
        loss.backward()
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
