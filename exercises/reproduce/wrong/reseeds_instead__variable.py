"""Remembers the seed in a variable of the program."""

import random

import numpy
import torch


_seed = None


def seed_everything(seed):
    global _seed
    _seed = seed
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    kind, keys, *rest = numpy.random.get_state()
    return {
        "python": random.getstate(),
        "numpy": (kind, keys.tolist(), *rest),
        "torch": torch.get_rng_state(),
    }


def set_rng_state(state):
    seed_everything(_seed)
