import random

import numpy
import torch


def seed_everything(seed):
    """Three different seeds from one."""
    seeds = random.Random(seed)
    random.seed(seeds.getrandbits(64))
    numpy.random.seed(seeds.getrandbits(32))
    torch.manual_seed(seeds.getrandbits(63))


def rng_state():
    version, numbers, spare = random.getstate()
    name, keys, position, has_spare, numpy_spare = numpy.random.get_state()
    return {
        "python": [version, list(numbers), spare],
        "numpy": [str(name), [int(key) for key in keys], int(position), int(has_spare), float(numpy_spare)],
        "torch": torch.get_rng_state().tolist(),
    }


def set_rng_state(state):
    version, numbers, spare = state["python"]
    random.setstate((version, tuple(numbers), spare))
    numpy.random.set_state(tuple(state["numpy"]))
    torch.set_rng_state(torch.tensor(state["torch"], dtype=torch.uint8))
