"""Warms a process up before it forks: imports and first uses that would otherwise be paid in every fork.

Each first `torch.optim.X()` imports torch._dynamo (2-3 s); first backward, autocast, save and DataLoader cost tens
of milliseconds each. One thread only: a parent that ever used two OpenMP threads makes its forked children hang. No
CUDA call of any kind, for the same reason.
"""

from __future__ import annotations

import gc
import io
import warnings

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def warm_up() -> None:
    """Run a bit of everything that solutions use, then leave what is loaded to the forks (`gc.freeze`)."""
    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _train_a_little()
    gc.collect()
    gc.freeze()


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
