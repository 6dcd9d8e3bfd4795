"""Samples that arrive in the wrong order, or masked, or drawn twice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

from chapter.failures import Facts, curves, failure
from chapter.loop import accuracy, momentum, spiral, train


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
