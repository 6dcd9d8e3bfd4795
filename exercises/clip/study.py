"""Your `gradient_norms` trains a small network for 240 steps, without being judged; the other functions need not be
written yet. It gets 30 batches again and again, and in one of them the targets are four times too large."""

import json
import math

import torch
from torch import nn

STEPS = 240
BAD_BATCH = 17


def make_batches():
    """30 batches: x (16, 2), and y (16, 1) with some noise in it."""
    generator = torch.Generator().manual_seed(0)
    batches = []
    for index in range(30):
        x = 4 * torch.rand(16, 2, generator=generator) - 2
        y = 3 + torch.sin(2 * x[:, :1]) * x[:, 1:] + 0.2 * torch.randn(16, 1, generator=generator)
        batches.append((x, 4 * y if index == BAD_BATCH else y))
    return batches


def finite_or_none(norms):
    """The norms as JSON can hold them; None where they are no list of numbers."""
    try:
        numbers = [float(norm) for norm in norms]
    except (TypeError, ValueError):
        return None
    return [number if math.isfinite(number) else None for number in numbers]


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
norms = gradient_norms(model, make_batches(), nn.MSELoss(), optimizer, STEPS)

# The last line that a study prints is a figure: its kind and its data.
print("\n" + json.dumps({"kind": "norms", "data": {"norms": finite_or_none(norms), "factor": 1.5}}))
