"""Warms a process up before it forks: imports and first uses that would otherwise be paid in every fork.

Each first `torch.optim.X()` imports torch._dynamo (2-3 s); first backward, autocast, save and DataLoader cost tens
of milliseconds each. One thread only: a parent that ever used two OpenMP threads makes its forked children hang. No
CUDA call of any kind, for the same reason.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import pkgutil
import sys
import warnings
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from judge import kit, wire

_HUGE_PAGE_BYTES = 2 * 2**20
_MADV_COLLAPSE = 25


def warm_up() -> None:
    """Run a bit of everything that solutions use, then leave what is loaded to the forks."""
    torch.set_num_threads(1)
    for module in pkgutil.iter_modules(kit.__path__):
        importlib.import_module(f"{kit.__name__}.{module.name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _train_a_little()
    settle()


def settle() -> None:
    """Make what is in memory now cheap to fork: garbage is collected, the rest is never looked at again.

    And it is gathered in huge pages where Linux can (6.1 and later): a fork copies one entry of the page table for
    each, an exit gives one back, instead of 512. Both then take a fifth of the time.
    """
    gc.collect()
    gc.freeze()
    if sys.platform == "linux":
        _gather_in_huge_pages()


def _gather_in_huge_pages() -> None:
    madvise = ctypes.CDLL(None).madvise
    for line in Path("/proc/self/maps").read_text().splitlines():
        addresses, rights, _, _, inode, *name = line.split()
        if inode == "0" and rights.startswith("rw") and name in ([], ["[heap]"]):
            first, last = (int(address, 16) // _HUGE_PAGE_BYTES for address in addresses.split("-"))
            begin, size = (first + 1) * _HUGE_PAGE_BYTES, (last - first - 1) * _HUGE_PAGE_BYTES
            if size > 0:  # an older kernel says no, and nothing is lost
                madvise(ctypes.c_void_p(begin), ctypes.c_size_t(size), _MADV_COLLAPSE)


def touch() -> None:
    """Use what nearly every solution uses. After a fork, the first writer to a page of memory waits for its copy."""
    model = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loss = nn.functional.mse_loss(model(torch.zeros(3, 2)), torch.zeros(3, 1))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    exec(compile("def f(x):\n    return [y + 1 for y in x]\n\nf([1, 2])\n", "touch.py", "exec"), {})  # noqa: S102 - our own line
    wire.FrameReader().feed(wire.encode({"value": [loss.item(), loss.detach()]}))


def _train_a_little() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 3))
    data = TensorDataset(torch.randn(8, 4), torch.randint(0, 3, (8,)))
    loader = DataLoader(data, batch_size=3, shuffle=True, generator=torch.Generator().manual_seed(0))
    for build in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
        optimizer = build(model.parameters(), lr=0.01)
        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)
        for x, y in loader:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        scheduler.step()
        file = io.BytesIO()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
        file.seek(0)
        torch.load(file, weights_only=True)
    scaler = torch.amp.GradScaler("cpu", enabled=True)
    scaler.scale(nn.functional.mse_loss(model(data.tensors[0]), torch.zeros(8, 3))).backward()
    scaler.step(optimizer)
    scaler.update()
