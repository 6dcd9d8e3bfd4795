"""The snapshot holds something that is neither plain data nor a tensor, such as the array in numpy's state: a checkpoint with it does not load safely."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    return {"python": random.getstate(), "numpy": numpy.random.get_state(), "torch": torch.get_rng_state()}


def set_rng_state(state):
    random.setstate(state["python"])
    numpy.random.set_state(state["numpy"])
    torch.set_rng_state(state["torch"])
