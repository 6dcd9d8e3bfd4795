"""Forgets numpy's alone."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    _, keys, position, *_ = numpy.random.get_state()
    return {"python": random.getstate(), "numpy": [keys.tolist(), position], "torch": torch.get_rng_state()}


def set_rng_state(state):
    random.setstate(state["python"])
    numpy.random.set_state(("MT19937", *state["numpy"]))
    torch.set_rng_state(state["torch"])
