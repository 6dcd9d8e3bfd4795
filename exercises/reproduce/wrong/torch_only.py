"""Only torch's stream was looked after. Python's and numpy's are streams of their own, and shuffling or augmenting with them differs from run to run."""

import random

import numpy
import torch


def seed_everything(seed):
    torch.manual_seed(seed)


def rng_state():
    return {"torch": torch.get_rng_state()}


def set_rng_state(state):
    torch.set_rng_state(state["torch"])
