"""Seeds, draws, takes snapshots and goes back to them with a solution, and tells where the three streams are.

A *place* in the streams is told by what would be drawn there. Before each call of interest the streams are moved to
some other place by our own hands, so that what a solution forgets shows, whatever process it runs in.
"""

import builtins
import contextlib
import hashlib
import io
import os
import random
import time

import numpy
import torch

PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray)


def seeded(solution, seeds, noise, process=0):
    """What is drawn after each of `seeds`, each time from another place."""
    answers = []
    with _process(process):
        for number, seed in enumerate(seeds):
            _go_somewhere(noise + number)
            solution.seed_everything(seed)
            answers.append(_place())
    return answers


def snapshot(solution, seed, noise):
    """Whether a snapshot is a dict, and what is in it that is neither plain data nor a tensor."""
    _seed(solution, seed, noise)
    state = solution.rng_state()
    return {"type": type(state).__name__, "dict": isinstance(state, dict), "strange": sorted(set(_strange(state)))[:5]}


def back(solution, seed, noise, spares):
    """Take a snapshot, go on, go back. With `spares` each stream has a normal number in store at the snapshot."""
    _seed(solution, seed, noise)
    start = _place()
    _draw(5)
    if spares:
        _draw_one_normal()
    before = _place()
    state = solution.rng_state()
    after = _place()
    _draw(3)
    later = _place()
    solution.set_rng_state(state)
    there = _place()
    strange = any(_strange(state))
    return {"start": start, "before": before, "after": after, "later": later, "there": there, "strange": strange}


def back_and_forth(solution, seeds, noise, order):
    """Two snapshots, the second after another seed; then back to one or the other in some order."""
    states, places, contents = [], [], []
    for number, seed in enumerate(seeds):
        _seed(solution, seed, noise + number)
        start = _place()
        _draw(4 + number)
        before = _place()
        states.append(solution.rng_state())
        contents.append(_content(states[0]))
        places.append({"start": start, "before": before, "after": _place()})
        _draw(2)
    lefts, theres = [], []  # where the streams were before going back, and after
    for which in order:
        lefts.append(_place())
        solution.set_rng_state(states[which])
        theres.append(_place())
        _draw(1 + len(theres))
    strange = any(map(any, map(_strange, states)))
    changed = contents[0] != contents[1]
    return {"places": places, "lefts": lefts, "theres": theres, "changed": changed, "strange": strange}


def undisturbed(solution, seed, noise):
    """Where the streams are before and after two snapshots."""
    solution.seed_everything(seed)
    _go_somewhere(noise)
    before = _place()
    solution.rng_state()
    solution.rng_state()
    return {"before": before, "after": _place()}


def untouched(solution, seed, noise):
    """The content of a snapshot before and after it is used."""
    _seed(solution, seed, noise)
    _draw(2)
    state = solution.rng_state()
    before = _content(state)
    for count in range(2):
        solution.set_rng_state(state)
        _draw(2 + count)
    return {"before": before, "after": _content(state)}


def left(solution, seed, noise):
    """A snapshot as bytes, for another process. None if it cannot be written."""
    _seed(solution, seed, noise)
    _draw(4)
    before = _place()
    state = solution.rng_state()
    written = None
    with contextlib.suppress(Exception):
        file = io.BytesIO()
        torch.save(state, file)  # plain pickle cannot read a tensor of uint32 back
        written = file.getvalue()
    return {"before": before, "after": _place(), "state": written, "strange": any(_strange(state))}


def taken_up(solution, state, noise):
    """Where another process is after it went back to the snapshot; the error, if it could not."""
    _go_somewhere(noise)
    later = _place()
    try:
        solution.set_rng_state(torch.load(io.BytesIO(state), weights_only=False))  # from a box into a box
    except Exception as error:
        return {"later": later, "there": None, "error": type(error).__name__}
    return {"later": later, "there": _place(), "error": ""}


# --- The streams -----------------------------------------------------------------------------------------------------


def _go_somewhere(noise):
    """Moves the streams to a place that has nothing to do with any seed, with a normal number in store in each."""
    random.seed(noise)
    numpy.random.seed(noise)
    torch.default_generator.manual_seed(noise)
    _draw_one_normal()


def _seed(solution, seed, noise):
    _go_somewhere(noise)
    solution.seed_everything(seed)


def _draw(count):
    for _ in range(count):
        random.random()
    numpy.random.rand(count)
    torch.rand(count)


def _draw_one_normal():
    """Normal numbers are made in pairs: the second is kept in store."""
    random.gauss(0.0, 1.0)
    numpy.random.randn()
    torch.randn(1)


def _place():
    """What the streams would give next. They stay where they are."""
    states = random.getstate(), numpy.random.get_state(), torch.default_generator.get_state()
    # A uniform number first: numpy makes normal ones by trying, so two places may give the same normal number.
    place = {
        "python": [random.random(), random.gauss(0.0, 1.0), random.random()],
        "numpy": [numpy.random.rand(), numpy.random.randn(), numpy.random.rand()],
        "torch": torch.cat([torch.rand(1), torch.randn(1), torch.rand(1)]).tolist(),
    }
    random.setstate(states[0])
    numpy.random.set_state(states[1])
    torch.default_generator.set_state(states[2])
    return place


@contextlib.contextmanager
def _process(number):
    """What differs from one process to the next: its number, the time, the hash of a text, and where things lie.

    All boxes come from one process and begin in the same second, so these have to be changed by hand.
    """
    of_python, where, clock, clock_ns = builtins.hash, builtins.id, time.time, time.time_ns

    def has_text(value):
        return isinstance(value, (str, bytes)) or (isinstance(value, (tuple, frozenset)) and any(map(has_text, value)))

    with contextlib.ExitStack() as stack:
        for owner, name, other in (
            (builtins, "hash", lambda value: of_python((number, value)) if has_text(value) else of_python(value)),
            (builtins, "id", lambda value: where(value) + (number << 20)),
            (os, "getpid", lambda: 1000 + number),
            (time, "time", lambda: clock() + 3600 * number),
            (time, "time_ns", lambda: clock_ns() + 3600 * 10**9 * number),
        ):
            stack.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, other)
        yield


# --- Snapshots -------------------------------------------------------------------------------------------------------


def _strange(value, depth=0):
    """The types of what is neither plain data nor a tensor."""
    if isinstance(value, (*PLAIN, torch.Tensor)):
        return
    if isinstance(value, (list, tuple, set, frozenset)) and depth < 20:
        for item in value:
            yield from _strange(item, depth + 1)
    elif isinstance(value, dict) and depth < 20:
        for item in (*value.keys(), *value.values()):
            yield from _strange(item, depth + 1)
    else:
        yield type(value).__name__


def _content(value):
    return hashlib.sha256(repr(_listed(value)).encode("utf-8", "replace")).hexdigest()


def _listed(value):
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), list(value.shape), value.detach().cpu().numpy().tobytes()]
    if isinstance(value, numpy.ndarray):
        return [str(value.dtype), value.tolist()]
    if isinstance(value, dict):
        return [[_listed(key), _listed(item)] for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [_listed(item) for item in value]
    return hex(value) if isinstance(value, int) else value
