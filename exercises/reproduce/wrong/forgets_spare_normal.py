"""A normal number that was waiting in a stream's state is not in the snapshot: normal numbers are made in pairs, and the second one is kept for the next call."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    of_numpy = numpy.random.get_state()
    return {
        "python": random.getstate()[1],
        "numpy": [of_numpy[1].tolist(), of_numpy[2]],
        "torch": torch.get_rng_state(),
    }


def set_rng_state(state):
    random.setstate((3, state["python"], None))
    keys, position = state["numpy"]
    numpy.random.set_state(("MT19937", keys, position))
    torch.set_rng_state(state["torch"])
