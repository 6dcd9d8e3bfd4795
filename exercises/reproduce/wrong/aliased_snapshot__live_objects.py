"""Hands out the generators themselves, which go on drawing."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    return {"python": random._inst, "numpy": numpy.random.mtrand._rand, "torch": torch.default_generator}


def set_rng_state(state):
    random.setstate(state["python"].getstate())
    numpy.random.set_state(state["numpy"].get_state())
    torch.set_rng_state(state["torch"].get_state())
