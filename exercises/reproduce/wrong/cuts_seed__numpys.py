"""Cuts numpy's alone, to fewer bits still."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed & 0xFFFF)
    torch.manual_seed(seed)


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
