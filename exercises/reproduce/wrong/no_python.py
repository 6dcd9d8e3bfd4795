"""Python's own stream was forgotten: `random.shuffle` and `random.random` differ from run to run."""

import random

import numpy
import torch


def seed_everything(seed):
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    kind, keys, *rest = numpy.random.get_state()
    return {"numpy": (kind, keys.tolist(), *rest), "torch": torch.get_rng_state()}


def set_rng_state(state):
    numpy.random.set_state(state["numpy"])
    torch.set_rng_state(state["torch"])
