"""Runs the broken script of each hunt and writes how that run looks to its symptom.json, which the page shows.

    python -m tools.symptoms

Every number of a figure comes out of the starter itself, run on a toy problem with fixed seeds.
"""

from __future__ import annotations

import importlib.util
import json
import weakref
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from judge.kit.toys import Batch, classification, mlp, regression

EXERCISES = Path(__file__).resolve().parent.parent / "exercises"
Figure = dict[str, Any]


def starter(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("starter", EXERCISES / name / "starter.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines(x_label: str, y_label: str, **series: list[float]) -> Figure:
    shown = [
        {"label": label.replace("_", " "), "values": [float(f"{value:.5g}") for value in values]}
        for label, values in series.items()
    ]
    return {"kind": "lines", "data": {"series": shown, "x_label": x_label, "y_label": y_label}}


def hunt_1() -> Figure:
    model = mlp(1, 3, 16, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = starter("hunt-1").train(model, classification(1, [16] * 8), nn.CrossEntropyLoss(), optimizer, 12)
    return lines("epoch", "loss", training_loss=losses)


def hunt_2() -> Figure:
    model = mlp(1, 3, 128, 3, dropout=0.5, batch_norm=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    batches = noisy_labels(classification(4, [16] * 10), 0.3)
    losses = starter("hunt-2").train(model, batches[:4], batches[4:], nn.CrossEntropyLoss(), optimizer, 40)
    return lines("epoch", "loss", training_loss=losses[0], validation_loss=losses[1])


def noisy_labels(batches: list[Batch], share: float) -> list[Batch]:
    """Some labels are drawn anew: they can be learned by heart, not understood."""
    return [(x, torch.where(torch.rand(len(y)) < share, torch.randint(3, y.shape), y)) for x, y in batches]


def hunt_3() -> Figure:
    """How far each step moved the weights, and how far it may."""
    model = mlp(1, 3, 16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    places: list[Tensor] = []
    optimizer.register_step_pre_hook(lambda *_: places.append(weights_of(model)))
    batches = regression(1, [16] * 16, scales=[1.0] * 7 + [12.0])
    starter("hunt-3").train(model, batches, nn.MSELoss(), optimizer, 4)
    places.append(weights_of(model))
    moves = [(after - before).norm().item() for before, after in pairwise(places)]
    figure = lines("step", "move", move_of_the_weights=moves)
    return {"kind": "lines", "data": {**figure["data"], "threshold": 0.05}}


def weights_of(model: nn.Module) -> Tensor:
    return nn.utils.parameters_to_vector(model.parameters()).detach().clone()


def hunt_4() -> Figure:
    model = mlp(1, 3, 16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    batches = regression(1, [16] * 16, scales=[1.0] * 7 + [6.0])
    history = starter("hunt-4").train(model, batches, nn.MSELoss(), optimizer, 16)
    return lines("epoch", "loss", training_loss=history["loss"], largest_norm=history["largest_norm"])


def hunt_5() -> Figure:
    """How many graphs are in memory as each step computes its loss, its own among them."""
    model = mlp(1, 3, 16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    tokens: list[weakref.ref[Token]] = []
    graphs: list[float] = []

    def counted(outputs: Tensor, y: Tensor) -> Tensor:
        token = Token()
        outputs.register_hook(token)
        tokens.append(weakref.ref(token))
        graphs.append(sum(one() is not None for one in tokens))
        return nn.functional.mse_loss(outputs, y)

    starter("hunt-5").train(model, regression(1, [16] * 10), counted, optimizer, 10)
    return lines("step", "graphs", graphs_in_memory=graphs)


class Token:
    """A hook that does nothing. It lives as long as the graph that it hangs on."""

    def __call__(self, gradient: Tensor) -> None:
        return None


def hunt_6() -> Figure:
    """What autograd has saved just after each loss is computed, in KiB."""
    model = mlp(1, 3, 64, 3, batch_norm=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = classification(1, [64] * 24)
    alive: dict[int, int] = {}  # by what is saved: its bytes
    kib: list[float] = []

    def saved(tensor: Tensor) -> Saved:
        kept = Saved(tensor.detach())  # the tensor itself may hold the graph
        alive[id(kept)] = tensor.nbytes
        weakref.finalize(kept, alive.pop, id(kept))
        return kept

    def measured(outputs: Tensor, y: Tensor) -> Tensor:
        loss = nn.functional.cross_entropy(outputs, y)
        kib.append(sum(alive.values()) / 1024)
        return loss

    with torch.autograd.graph.saved_tensors_hooks(saved, lambda kept: kept.tensor):
        starter("hunt-6").train(model, batches[:12], batches[12:], measured, optimizer, 2)
    return lines("batch", "KiB", saved_by_graphs=kib)


class Saved:
    """A tensor that a graph has saved; it lives as long as the graph does."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor


def hunt_7() -> Figure:
    model = mlp(1, 3, 16, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rates: list[float] = []
    optimizer.register_step_pre_hook(lambda *_: rates.append(optimizer.param_groups[0]["lr"]))
    starter("hunt-7").train(model, classification(1, [16] * 7), nn.CrossEntropyLoss(), optimizer, 10)
    return lines("update", "rate", rate_of_the_update=rates)


def hunt_8() -> Figure:
    model = mlp(1, 3, 16, 1)
    batches = regression(1, [16] * 8)
    losses = starter("hunt-8").train(model, batches, nn.MSELoss(), 100, lr=0.0001)
    return lines("epoch", "loss", training_loss=losses)


def hunt_9() -> Figure:
    model = mlp(1, 3, 16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    losses, _ = starter("hunt-9").train(model, regression(1, [16] * 12), nn.MSELoss(), optimizer, scaler, 10)
    return lines("step", "loss", training_loss=losses)


SYMPTOMS: dict[str, Callable[[], Figure]] = {
    "hunt-1": hunt_1,
    "hunt-2": hunt_2,
    "hunt-3": hunt_3,
    "hunt-4": hunt_4,
    "hunt-5": hunt_5,
    "hunt-6": hunt_6,
    "hunt-7": hunt_7,
    "hunt-8": hunt_8,
    "hunt-9": hunt_9,
}


def made(name: str) -> Figure:
    """The symptom of one hunt, from a run that leaves the random state as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        return SYMPTOMS[name]()


def main() -> None:
    for name in SYMPTOMS:
        text = json.dumps(made(name), separators=(",", ":"))
        (EXERCISES / name / "symptom.json").write_text(text + "\n", encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
