"""Notes torch alone."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    return {"torch": torch.get_rng_state()}


def set_rng_state(state):
    torch.set_rng_state(state["torch"])
