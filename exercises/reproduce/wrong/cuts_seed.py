"""Only a part of the seed counts, as in `seed % 2**31`: seeds that differ in the rest give one and the same stream. Use all of it."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed % 2**31)
    numpy.random.seed(seed % 2**31)
    torch.manual_seed(seed % 2**31)


def rng_state():
    kind, keys, *rest = numpy.random.get_state()
    return {
        "python": random.getstate(),
        "numpy": (kind, keys.tolist(), *rest),
        "torch": torch.get_rng_state(),
    }


def set_rng_state(state):
    random.setstate(state["python"])
    numpy.random.set_state(state["numpy"])
    torch.set_rng_state(state["torch"])
