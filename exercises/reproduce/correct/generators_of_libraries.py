import os
import random

import numpy as np
import torch


def seed_everything(seed):
    os.environ["PYTHONHASHSEED"] = str(seed)
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.default_generator.manual_seed(seed)
    return seed


def rng_state():
    bits = np.random.get_state(legacy=False)
    bits["state"]["key"] = torch.from_numpy(bits["state"]["key"].astype(np.int64))
    return {"random": random.getstate(), "numpy": bits, "torch": torch.default_generator.get_state()}


def set_rng_state(state):
    bits = dict(state["numpy"])
    bits["state"] = {"key": bits["state"]["key"].numpy().astype(np.uint32), "pos": bits["state"]["pos"]}
    random.setstate(state["random"])
    np.random.set_state(bits)
    torch.default_generator.set_state(state["torch"])
