"""Keeps the state in a variable of the program and hands out nothing but a mark."""

import random

import numpy
import torch


_kept = None


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    global _kept
    _kept = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    return {"kept": True}


def set_rng_state(state):
    of_python, of_numpy, of_torch = _kept
    random.setstate(of_python)
    numpy.random.set_state(of_numpy)
    torch.set_rng_state(of_torch)
