import random
from collections import OrderedDict

import numpy
import torch


def seed_everything(seed):
    random.seed(str(seed))
    numpy.random.seed([seed, 1])
    torch.random.manual_seed(seed)


def rng_state():
    _, numbers, spare = random.getstate()
    numpy_state = numpy.random.get_state()
    return OrderedDict(
        numbers=torch.tensor(numbers),  # (625,)
        spare=torch.tensor(float("nan") if spare is None else spare, dtype=torch.float64),
        keys=torch.tensor(numpy_state[1].astype(numpy.int64)),  # (624,)
        position=torch.tensor(numpy_state[2:4]),  # (2,)
        numpy_spare=numpy_state[4],
        torch=torch.random.get_rng_state(),
    )


def set_rng_state(state):
    spare = state["spare"].item()
    random.setstate((3, tuple(state["numbers"].tolist()), None if spare != spare else spare))
    position, has_spare = state["position"].tolist()
    keys = state["keys"].numpy().astype(numpy.uint32)
    numpy.random.set_state(("MT19937", keys, position, has_spare, state["numpy_spare"]))
    torch.random.set_rng_state(state["torch"])
