"""numpy's keys in a tensor of their own kind, which is uint32."""

import random

import numpy as np
import torch


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def rng_state():
    name, keys, *place = np.random.get_state()
    return {
        "random": random.getstate(),
        "numpy": {"name": name, "keys": torch.from_numpy(keys.copy()), "place": place},
        "torch": torch.get_rng_state(),
    }


def set_rng_state(state):
    random.setstate(state["random"])
    numpys = state["numpy"]
    np.random.set_state((numpys["name"], numpys["keys"].numpy(), *numpys["place"]))
    torch.set_rng_state(state["torch"])
