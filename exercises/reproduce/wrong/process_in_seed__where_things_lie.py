"""Where a function lies in memory."""

import random

import numpy
import torch


def seed_everything(seed):
    place = id(seed_everything)
    random.seed(seed + place)
    numpy.random.seed((seed + place) % 2**32)
    torch.manual_seed(seed + place)


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
