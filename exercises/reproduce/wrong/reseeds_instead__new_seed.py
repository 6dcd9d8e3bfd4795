"""Draws a seed for the snapshot and seeds with it when going back."""

import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def rng_state():
    return {"seed": random.randrange(2**32)}


def set_rng_state(state):
    seed_everything(state["seed"])
