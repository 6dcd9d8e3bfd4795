import random

import numpy
import torch


class Stream:
    """One of the streams."""

    def __init__(self, seed, get, put):
        self.seed = seed
        self.get = get
        self.put = put


class Streams(dict):
    pass


def _numpy_state():
    kind, keys, position, has_gauss, gauss = numpy.random.get_state()
    return {"kind": kind, "keys": keys.tobytes(), "position": position, "gauss": gauss if has_gauss else None}


def _set_numpy_state(state):
    keys = numpy.frombuffer(state["keys"], dtype=numpy.uint32)
    gauss = state["gauss"]
    numpy.random.set_state((state["kind"], keys, state["position"], int(gauss is not None), gauss or 0.0))


STREAMS = [
    Stream(random.seed, random.getstate, random.setstate),
    Stream(numpy.random.seed, _numpy_state, _set_numpy_state),
    Stream(torch.manual_seed, torch.get_rng_state, torch.set_rng_state),
]


def seed_everything(seed):
    for stream in STREAMS:
        stream.seed(seed)


def rng_state():
    print("taking a snapshot")
    return Streams({number: stream.get() for number, stream in enumerate(STREAMS)})


def set_rng_state(state):
    for number, stream in enumerate(STREAMS):
        stream.put(state[number])
