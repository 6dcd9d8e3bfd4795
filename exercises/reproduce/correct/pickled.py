import pickle
import random

import numpy
import torch


def seed_everything(seed):
    for begin in (random.seed, numpy.random.seed, torch.manual_seed):
        begin(seed)


def rng_state():
    return {"all": pickle.dumps((random.getstate(), numpy.random.get_state(), torch.get_rng_state().numpy()))}


def set_rng_state(state):
    of_python, of_numpy, of_torch = pickle.loads(state["all"])
    random.setstate(of_python)
    numpy.random.set_state(of_numpy)
    torch.set_rng_state(torch.from_numpy(of_torch))
