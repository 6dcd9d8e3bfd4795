"""Two snapshots share their memory: taking the second one overwrote the first. Each must have copies of its own, for whoever keeps several."""

import random

import numpy
import torch


_state = {}


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    kind, keys, *rest = numpy.random.get_state()
    _state["python"] = random.getstate()
    _state["numpy"] = (kind, keys.tolist(), *rest)
    _state["torch"] = torch.get_rng_state()
    return _state


def set_rng_state(state):
    random.setstate(state["python"])
    numpy.random.set_state(state["numpy"])
    torch.set_rng_state(state["torch"])
