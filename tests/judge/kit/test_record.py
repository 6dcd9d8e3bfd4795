"""The recorder sees the events of a training loop, however the loop is written."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grad_norm_, clip_grads_with_norm_, get_total_norm

from judge.kit.record import Recorder
from judge.kit.toys import mlp, regression

Loss = Callable[[Tensor, Tensor], Tensor]
Update = Callable[[nn.Module, torch.optim.Optimizer, Loss, Tensor, Tensor], None]
FIVE = ["batch", "zero", "forward", "backward", "clip", "step"]


def recorded(update: Update, batches: int = 2) -> Recorder:
    """Run `update` on some batches; the first begins without gradients."""
    model = mlp(1, 3, 4, 1, batch_norm=True, dropout=0.2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    with Recorder(model, optimizer) as record:
        loss_fn = record.loss(nn.functional.mse_loss)
        for x, y in record.batches(regression(1, [4] * batches)):
            update(model, optimizer, loss_fn, x, y)
    return record


def library(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
    optimizer.zero_grad()
    loss_fn(model(x), y).backward()
    clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def by_hand(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
    for p in model.parameters():
        p.grad = None
    torch.autograd.backward(loss_fn(model.forward(x), y))
    for p in model.parameters():
        assert p.grad is not None
        p.grad *= 0.5
    optimizer.step()


def assigned(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
    model.zero_grad(set_to_none=False)
    loss_fn(model(x), y).backward()
    for p in model.parameters():
        assert p.grad is not None
        p.grad = p.grad.clamp(-1, 1)
    optimizer.step()


def in_a_closure(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
    def closure() -> float:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        return loss  # type: ignore[return-value]

    optimizer.step(closure)


def in_two_parts(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
    optimizer.zero_grad()
    loss_fn(model(x), y).backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    clip_grads_with_norm_(model.parameters(), 1.0, get_total_norm(gradients))
    optimizer.step()


@pytest.mark.parametrize("update", [library, assigned, in_a_closure, in_two_parts])
def test_the_five_lines_in_any_style(update: Update) -> None:
    assert recorded(update).events == FIVE * 2


def test_clearing_by_hand_shows_once_there_are_gradients() -> None:
    assert recorded(by_hand).events[len(FIVE) :] == FIVE


def test_gradients_from_autograd_are_no_clipping_until_they_are_scaled() -> None:
    def update(
        model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor, factor: float | None
    ) -> None:
        gradients = torch.autograd.grad(loss_fn(model(x), y), list(model.parameters()))
        for p, gradient in zip(model.parameters(), gradients, strict=True):
            p.grad = gradient if factor is None else gradient * factor
        optimizer.step()

    raw = recorded(lambda *args: update(*args, None), batches=1)
    assert raw.events == ["batch", "forward", "backward", "step"]
    scaled = recorded(lambda *args: update(*args, 0.5), batches=1)
    assert scaled.events == ["batch", "forward", "backward", "clip", "step"]


def test_clipping_without_a_gradient_is_seen() -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        clip_grad_norm_(model.parameters(), 1.0)

    assert recorded(update, batches=1).events == ["batch", "clip"]


@pytest.mark.parametrize(
    "look",
    [
        lambda g: g[0],
        lambda g: (g.norm(), g.pow(2).sum(), g * 2, g.clone().mul_(2)),
        lambda g: g.detach().requires_grad_(False),
    ],
)
def test_looking_at_gradients_is_no_clipping(look: Callable[[Tensor], object]) -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        loss_fn(model(x), y).backward()
        for p in model.parameters():
            assert p.grad is not None
            look(p.grad)
        optimizer.step()

    assert recorded(update, batches=1).events == ["batch", "forward", "backward", "step"]


def divided(g: Tensor) -> None:
    g /= 2


def replaced(g: Tensor) -> None:
    g.data = g / 2


def cut(g: Tensor) -> None:
    g[:] = g.clamp(-1, 1)


@pytest.mark.parametrize(
    "change", [divided, replaced, cut, lambda g: torch.mul(g, 0.5, out=g), lambda g: torch._foreach_mul_([g], 0.5)]
)
def test_changing_gradients_in_place_is_clipping(change: Callable[[Tensor], object]) -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        loss_fn(model(x), y).backward()
        for p in model.parameters():
            assert p.grad is not None
            change(p.grad)
        optimizer.step()

    assert recorded(update, batches=1).events == ["batch", "forward", "backward", "clip", "step"]


def test_two_steps_are_two_events_and_many_gradients_one() -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        loss_fn(model(x), y).backward()
        for p in model.parameters():
            clip_grad_norm_(p, 1.0)
        optimizer.step()
        optimizer.step()

    assert recorded(update, batches=1).events == ["batch", "forward", "backward", "clip", "step", "step"]


def test_modes_are_seen() -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        model.eval()
        model.train()

    assert recorded(update, batches=1).events == ["batch", "eval", "train"]


READS: dict[str, Callable[[Tensor], object]] = {
    "item": lambda t: t.item(),
    "float": float,
    "bool": bool,
    "if": lambda t: 1 if t > 0 else 0,
    "max": lambda t: max(t, 0.0),
    "format": lambda t: f"{t:.2f}",
    "str": str,
    "tolist": lambda t: t.tolist(),
    "numpy": lambda t: t.numpy(),
    "array": numpy.asarray,
    "cpu": lambda t: t.cpu(),
    "to cpu": lambda t: t.to("cpu"),
    "to named device": lambda t: t.to(torch.device("cpu")),
    "tensor of tensors": lambda t: torch.tensor([t]),
    "tensor of data": lambda t: torch.tensor(data=[t, 1.0]),
    "equal": lambda t: torch.equal(t, t),
    "cpu item": lambda t: t.cpu().item(),
    "cpu data numpy": lambda t: float(t.cpu().data.numpy()),
    "cpu arithmetic": lambda t: float(t.cpu() / 3 + torch.ones(())),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS.keys())
def test_reads_are_counted_once(read: Callable[[Tensor], object]) -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        read(loss_fn(model(x), y).detach())

    assert recorded(update, batches=3).events.count("read") == 3


NO_READS: dict[str, Callable[[Tensor], object]] = {
    "detach": lambda t: t.detach() * 3,
    "own device": lambda t: t.to(t.device),
    "dtype": lambda t: t.to(torch.float64).double(),
    "shape": lambda t: (t.shape, t.dim(), len(t.reshape(1)), t.device, t.requires_grad),
    "stack": lambda t: torch.stack([t, t]).sum(),
    "host": lambda t: torch.tensor([1.0, 2.0]).sum().item(),
    "device sum": lambda t: torch.zeros((), device=t.device).add_(t),
}


@pytest.mark.parametrize("work", NO_READS.values(), ids=NO_READS.keys())
def test_what_stays_on_the_device_is_no_read(work: Callable[[Tensor], object]) -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        work(loss_fn(model(x), y).detach())

    assert "read" not in recorded(update).events


def test_a_host_number_that_takes_in_a_loss_is_read_from_the_device() -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        total = torch.zeros(())
        total += loss_fn(model(x), y).detach()
        total.item()

    assert recorded(update, batches=1).events.count("read") == 1


def test_asking_clipping_for_an_error_reads_the_norm() -> None:
    def update(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        loss_fn(model(x), y).backward()
        clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)

    assert recorded(update, batches=1).events.count("read") == 1


def test_graphs_that_are_kept_are_counted() -> None:
    kept: list[Tensor] = []

    def keep(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        loss = loss_fn(model(x), y)
        loss.backward()
        kept.append(loss)

    record = recorded(keep, batches=5)
    assert (record.most_graphs, record.graphs_alive()) == (4, 5)
    kept.clear()
    assert record.graphs_alive() == 0


def test_graphs_that_are_let_go_are_not_counted_nor_is_garbage() -> None:
    def let_go(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        loss = loss_fn(model(x), y)
        cycle: list[object] = [loss]
        cycle.append(cycle)
        loss.backward()

    record = recorded(let_go, batches=5)
    assert record.most_graphs <= 2
    assert record.graphs_alive() == 0


def test_everything_is_put_back() -> None:
    before = nn.Sequential.__dict__.copy(), nn.Module.zero_grad, torch.optim.Optimizer.zero_grad
    recorded(library)
    assert (dict(nn.Sequential.__dict__), nn.Module.zero_grad, torch.optim.Optimizer.zero_grad) == (
        dict(before[0]),
        *before[1:],
    )
    (cell,) = clip_grad_norm_.__closure__
    assert cell.cell_contents.__module__ == "torch.nn.utils.clip_grad"


def test_everything_is_put_back_after_an_error_in_a_step() -> None:
    def fail(model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: Loss, x: Tensor, y: Tensor) -> None:
        def closure() -> float:
            raise ArithmeticError

        optimizer.step(closure)

    with pytest.raises(ArithmeticError):
        recorded(fail)
    assert recorded(library).events == FIVE * 2


def test_recording_changes_no_number() -> None:
    def run(recording: bool) -> list[Tensor]:
        torch.manual_seed(0)
        model = mlp(1, 3, 4, 1, batch_norm=True, dropout=0.2)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        batches = regression(1, [4, 4, 3])
        if recording:
            with Recorder(model, optimizer) as record:
                for x, y in record.batches(batches):
                    library(model, optimizer, record.loss(nn.functional.mse_loss), x, y)
        else:
            for x, y in batches:
                library(model, optimizer, nn.functional.mse_loss, x, y)
        return list(model.state_dict().values())

    for plain, watched in zip(run(False), run(True), strict=True):
        assert torch.equal(plain, watched)
