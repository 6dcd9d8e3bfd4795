"""A seed depends on the process: the `hash` of a text is another in each, and so are the process's number and the time."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(hash(f"python {seed}"))
    numpy.random.seed(hash(f"numpy {seed}") % 2**32)
    torch.manual_seed(hash(f"torch {seed}"))


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
