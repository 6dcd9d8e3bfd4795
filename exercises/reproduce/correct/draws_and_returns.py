import random

import numpy
import torch


def seed_everything(seed):
    random.seed(seed)
    numpy.random.seed(random.getrandbits(32))
    torch.manual_seed(random.getrandbits(60))


def rng_state():
    """Draws a number to recognise the place by, and goes back."""
    name, keys, *rest = numpy.random.get_state()
    state = {
        "python": random.getstate(),
        "numpy": tuple([name, tuple(keys.tolist()), *rest]),
        "torch": torch.get_rng_state().clone(),
        "big": int.from_bytes(keys.tobytes(), "big"),
    }
    sample = [random.random(), float(numpy.random.rand()), torch.rand(1)]
    set_rng_state(state)
    state["sample"] = sample
    return state


def set_rng_state(state):
    random.setstate(state["python"])
    numpy.random.set_state(state["numpy"])
    torch.set_rng_state(state["torch"])
