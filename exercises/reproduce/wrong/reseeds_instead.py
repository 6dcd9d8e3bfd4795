"""Going back seeded the streams anew: that leads to the beginning of a stream, or to another one, and not to the place in it where the snapshot was taken."""

import random

import numpy
import torch


_last = {}


def seed_everything(seed):
    _last["seed"] = seed
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    return dict(_last)


def set_rng_state(state):
    seed_everything(state["seed"])
