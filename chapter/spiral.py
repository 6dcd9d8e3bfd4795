"""Trains the chapter's loop on the spiral, right and with a mistake, and writes the decision regions to spiral.json.

    python -m chapter.spiral

After every epoch the network is asked about each cell of a grid. A cell is one letter: the arm it is given to, and in
how many of `LEVELS` steps the network is sure of it. A frame is the letters of all cells, row by row from the top; a
dot stands for the same letter as in the frame before, and a number behind a letter or a dot repeats it. To read one:

    frame.replace(/(.)(\\d+)/g, (_, letter, times) => letter.repeat(times))
"""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn

from chapter.loop import LINES, OptimizerMaker, accuracy, network, spiral, train, without

OUTPUT = Path(__file__).parent / "spiral.json"

CELLS = 48  # a side
EXTENT = 1.15  # the grid reaches from -EXTENT to EXTENT
LEVELS = 4
EPOCHS = 36
ARMS = 3
LETTERS = "abcdefghijkl"  # arm 0 from unsure to sure, then arm 1, then arm 2
assert len(LETTERS) == ARMS * LEVELS


def adam(model: nn.Module) -> torch.optim.Optimizer:
    """Slower than elsewhere in the chapter, so that there is something to watch."""
    return torch.optim.Adam(model.parameters(), lr=0.004)


@dataclass(frozen=True)
class Take:
    """One run of the animation: the right loop, or the loop with one mistake."""

    title: dict[str, str]
    order: tuple[str, ...] = LINES
    shuffle: bool = True
    optimizer: OptimizerMaker = adam


@dataclass
class Film:
    loss: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)


def without_last_layer(model: nn.Module) -> torch.optim.Optimizer:
    """What is left to an optimizer whose last layer was replaced after it was made."""
    return torch.optim.Adam(list(model.parameters())[:-2], lr=0.004)


def decaying_every_batch(model: nn.Module) -> torch.optim.Optimizer:
    """The rate falls by a tenth at each step instead of at each epoch: the scheduler stands in the batch loop."""
    optimizer = adam(model)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    optimizer.register_step_post_hook(lambda *_: scheduler.step())
    return optimizer


TAKES = {
    "right": Take({"en": "The loop as it should be", "zh": "正确的循环", "ko": "올바른 루프"}),
    "no_zero_grad": Take(
        {
            "en": "zero_grad is missing, and nothing clips",
            "zh": "没写 zero_grad，也不裁剪",
            "ko": "zero_grad가 빠졌고, 클리핑도 없음",
        },
        order=without("zero", "clip"),  # clipping would hide much of it
    ),
    "zero_before_step": Take(
        {
            "en": "zero_grad between backward and step",
            "zh": "zero_grad 在 backward 和 step 之间",
            "ko": "zero_grad가 backward와 step 사이에 있음",
        },
        order=("forward", "backward", "zero", "clip", "step"),
    ),
    "no_shuffle": Take(
        {
            "en": "The data is sorted and not shuffled",
            "zh": "数据按类别排好，没有打乱",
            "ko": "데이터가 클래스 순서로 놓였고, 섞지 않음",
        },
        shuffle=False,
    ),
    "scheduler_in_batch_loop": Take(
        {"en": "The scheduler steps once a batch", "zh": "调度器每一批走一次", "ko": "스케줄러가 배치마다 나아감"},
        optimizer=decaying_every_batch,
    ),
    "replaced_head": Take(
        {
            "en": "The optimizer does not hold the last layer",
            "zh": "优化器手里没有最后一层",
            "ko": "옵티마이저가 마지막 층을 쥐고 있지 않음",
        },
        optimizer=without_last_layer,
    ),
}


def grid() -> Tensor:
    """The middles of all cells, row by row from the top."""
    across = (torch.arange(CELLS) + 0.5) / CELLS * 2 * EXTENT - EXTENT
    y, x = torch.meshgrid(across.flip(0), across, indexing="ij")
    return torch.stack([x.flatten(), y.flatten()], dim=1)  # (CELLS * CELLS, 2)


def letters(model: nn.Module, cells: Tensor) -> str:
    """What the network says of each cell."""
    with torch.no_grad():
        sure, arm = model(cells).softmax(dim=1).max(dim=1)
    level = ((sure - 1 / ARMS) / (1 - 1 / ARMS) * LEVELS).long().clamp(0, LEVELS - 1)
    return "".join(LETTERS[i] for i in (arm * LEVELS + level).tolist())


def against(before: str, now: str) -> str:
    """A frame as its differences from the one before."""
    return "".join("." if a == b else b for a, b in zip(before, now, strict=True))


def packed(frame: str) -> str:
    """The frame with repeated characters counted."""
    runs = ((letter, len(list(run))) for letter, run in itertools.groupby(frame))
    return "".join(letter + (str(times) if times > 1 else "") for letter, times in runs)


def unpacked(frames: list[str]) -> list[str]:
    """The letters of every cell in every frame."""
    whole: list[str] = []
    for frame in frames:
        flat = re.sub(r"(.)(\d+)", lambda run: run[1] * int(run[2]), frame)
        before = whole[-1] if whole else flat
        whole.append("".join(a if b == "." else b for a, b in zip(before, flat, strict=True)))
    return whole


def film(take: Take) -> Film:
    x, y = spiral()
    cells = grid()
    whole: list[str] = []
    shot = Film()

    def expose(model: nn.Module) -> None:
        whole.append(letters(model, cells))
        shot.accuracy.append(round(accuracy(model, x, y), 3))

    model = network()
    expose(model)  # before any training
    run = train(
        take.order,
        model=model,
        optimizer=take.optimizer,
        shuffle=take.shuffle,
        epochs=EPOCHS,
        on_epoch=lambda _, model: expose(model),
    )
    shot.loss = [round(loss, 3) for loss in run.losses]
    shot.frames = [packed(frame) for frame in (whole[0], *map(against, whole, whole[1:]))]
    return shot


def main() -> None:
    x, y = spiral()
    points = [[round(a, 2), round(b, 2), arm] for (a, b), arm in zip(x.tolist(), y.tolist(), strict=True)]
    runs = {name: {"title": take.title, **vars(film(take))} for name, take in TAKES.items()}
    document = {"cells": CELLS, "extent": EXTENT, "letters": LETTERS, "levels": LEVELS, "points": points, "runs": runs}
    OUTPUT.write_text(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
