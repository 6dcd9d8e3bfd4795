"""Makes a seed of the state: another stream begins there."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    return {"seed": int(numpy.random.get_state()[1][0])}


def set_rng_state(state):
    seed_everything(state["seed"])
