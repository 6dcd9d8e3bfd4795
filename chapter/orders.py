"""Runs the loop in every order of its five lines and says which state breaks; writes orders.json for the page.

    python -m chapter.orders

Two independent answers are kept side by side, and a test compares them: `follow` walks through an order and keeps
track of what `.grad` holds, without computing anything; `run` trains for a few steps and compares the weights.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import torch

from chapter.loop import LINES, network, train, without

OUTPUT = Path(__file__).parent / "orders.json"

FINDINGS = {
    "right": {
        "en": "Each step uses this batch's gradients alone, clipped: the loop trains as it should.",
        "zh": "每次 step 用的都是裁剪过的、只属于这一批的梯度：循环正常训练。",
        "ko": "step이 언제나 그 배치만의 클리핑된 기울기를 씁니다. 루프가 제대로 학습합니다.",
    },
    "no_loss": {
        "en": "There is no loss yet when backward runs first: an error.",
        "zh": "第一次执行 backward 时还没有 loss：直接报错。",
        "ko": "backward가 처음 실행될 때 손실이 아직 없습니다. 오류입니다.",
    },
    "weights_changed": {
        "en": "The weights change between the forward pass and backward: an error from the second batch on.",
        "zh": "前向与 backward 之间权重被改动：从第二批起报错。",
        "ko": "순전파와 backward 사이에서 가중치가 바뀝니다. 두 번째 배치부터 오류가 납니다.",
    },
    "no_gradient": {
        "en": "The step finds .grad empty: nothing ever moves.",
        "zh": "step 时 .grad 是空的：权重永远不动。",
        "ko": "step이 읽는 .grad가 비어 있습니다. 아무것도 움직이지 않습니다.",
    },
    "late": {
        "en": "The step uses the gradients of the batch before.",
        "zh": "step 用的是上一批的梯度。",
        "ko": "step이 바로 앞 배치의 기울기를 씁니다.",
    },
    "piles_up": {
        "en": "The step uses the gradients of several batches, added up.",
        "zh": "step 用的是好几批累加起来的梯度。",
        "ko": "step이 여러 배치의 기울기가 더해진 것을 씁니다.",
    },
    "not_clipped": {
        "en": "The gradients that the step uses were never clipped.",
        "zh": "step 用到的梯度没有被裁剪过。",
        "ko": "step이 쓰는 기울기가 한 번도 클리핑되지 않았습니다.",
    },
}

ERRORS = ("no_loss", "weights_changed")


@dataclass
class Machine:
    """What `.grad`, the loss and the weights are, said in batch numbers instead of tensors."""

    grad: list[int] = field(default_factory=list)  # the batches whose gradients .grad holds
    clipped: bool = False  # whether all of them went through clipping together
    loss: tuple[int, int] | None = None  # the batch of the loss, and the weights it was computed with
    weights: int = 0  # counts the changes of the weights
    used: tuple[tuple[int, ...], bool] = ((), False)  # the last step's gradients, and whether they were clipped


def follow(order: tuple[str, ...], batches: int = 3) -> str:
    """The finding about an order, from its last of a few batches."""
    machine = Machine()
    for batch in range(batches):
        for line in order:
            if line == "forward":
                machine.loss = (batch, machine.weights)
            elif line == "zero":
                machine.grad, machine.clipped = [], False
            elif line == "backward":
                if machine.loss is None:
                    return "no_loss"
                if machine.loss[1] != machine.weights:
                    return "weights_changed"
                machine.grad, machine.clipped = [*machine.grad, machine.loss[0]], False
            elif line == "clip":
                machine.clipped = bool(machine.grad)
            else:
                machine.used = (tuple(machine.grad), machine.clipped)
                machine.weights += bool(machine.grad)
    used, clipped = machine.used
    if not used:
        return "no_gradient"
    if len(used) > 1:
        return "piles_up"
    if used[0] != batches - 1:
        return "late"
    return "right" if clipped else "not_clipped"


def run(order: tuple[str, ...]) -> torch.Tensor | None:
    """The weights after a few steps in this order; None when torch raises an error."""
    model = network()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4)  # gradients long enough for clipping to matter
    try:
        sgd = torch.optim.SGD(model.parameters(), lr=0.1)
        trained = train(order, model=model, epochs=1, batch_size=150, optimizer=lambda _: sgd)
    except (NameError, RuntimeError):
        return None
    return torch.cat([p.detach().flatten() for p in trained.model.parameters()])


def orders() -> Iterator[tuple[str, ...]]:
    """All orders of the five lines, and those that leave out `zero` or `clip`."""
    for lines in (LINES, without("zero"), without("clip")):
        yield from itertools.permutations(lines)


def outcomes() -> dict[tuple[str, ...], str]:
    """What running shows of each order: right, error, or silent."""
    reference = run(LINES)
    assert reference is not None

    def outcome(weights: torch.Tensor | None) -> str:
        if weights is None:
            return "error"
        return "right" if torch.equal(weights, reference) else "silent"

    return {order: outcome(run(order)) for order in orders()}


def main() -> None:
    ran = outcomes()
    summary = Counter(outcome for order, outcome in ran.items() if len(order) == len(LINES))
    found = {" ".join(order): follow(order) for order in ran}
    document = {"summary": dict(summary), "findings": FINDINGS, "orders": found}
    OUTPUT.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
