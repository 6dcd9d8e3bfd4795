"""Calls a solution of `collate` and returns what came of it, as plain data."""

import copy
import random

import numpy
import torch


def collate(solution, batches, device, arguments=(), options=None):
    """What `collate` returns for each of `batches`, and the devices its first two tensors are on."""
    results = [solution.collate(_placed(batch, device), *arguments, **(options or {})) for batch in batches]
    return {"results": results, "devices": [_devices(result) for result in results]}


def collate_by_name(solution, batch, pad_value):
    return solution.collate(batch=batch, pad_value=pad_value)


def in_order(solution, calls):
    """What `bucket_batches` returns without a generator, for each of `calls`' arguments."""
    return [solution.bucket_batches(**arguments) for arguments in calls]


def draw(solution, lengths, batch_size, calls, seed, global_seed, state=None, options=None):
    """Call `bucket_batches` with one generator again and again.

    Returns the answers, the generator's state before, after the first and after the last call, and what the global
    random streams say next.
    """
    _seed_globally(global_seed)
    generator = torch.Generator().manual_seed(seed)
    if state is not None:
        generator.set_state(state)
    answers, states = [], [generator.get_state()]
    for number in range(calls):
        answers.append(solution.bucket_batches(list(lengths), batch_size, generator=generator, **(options or {})))
        if number == 0:
            states.append(generator.get_state())
    return {"answers": answers, "states": [*states, generator.get_state()], "streams": _streams()}


def draw_each(solution, calls, seed):
    """What `bucket_batches` returns for each of `calls`' arguments, by position, with one generator."""
    generator = torch.Generator().manual_seed(seed)
    return [solution.bucket_batches(lengths, size, generator, *more) for lengths, size, *more in calls]


def padding_fraction(solution, masks, device):
    return solution.padding_fraction(masks=[mask.to(device) for mask in masks])


def twice(solution, batch, lengths, masks, batch_size, global_seed):
    """Call each function, and again with equal inputs.

    Returns both answers, the first batch as it is after others of its shape, the first inputs as they are left, and
    what the global random streams say next.
    """
    _seed_globally(global_seed)
    inputs = batch, lengths, masks
    others = [(sequence + 1, label + 1) for sequence, label in batch]
    answers, collated = [], []
    for batch, lengths, masks in (inputs, copy.deepcopy(inputs)):  # copied before the first call
        collated.append(solution.collate(batch))
        answers.append(_kept([collated[-1], solution.padding_fraction(masks)]))
        solution.bucket_batches(lengths, batch_size)
    solution.collate(others)
    return {"answers": answers, "kept": collated[0], "inputs": inputs, "streams": _streams()}


def _kept(answer):
    """The answer as it is now. `deepcopy` copies no tensor of a plain subclass."""
    if isinstance(answer, torch.Tensor):
        return answer.clone()
    if isinstance(answer, (list, tuple)):
        parts = [_kept(part) for part in answer]
        return tuple(parts) if isinstance(answer, tuple) else parts
    return answer


def _placed(batch, device):
    return [(sequence.to(device), label) for sequence, label in batch]


def _devices(result):
    if not isinstance(result, (list, tuple)):
        return []
    return [part.device.type for part in result[:2] if isinstance(part, torch.Tensor)]


def _seed_globally(seed):
    random.seed(seed)
    numpy.random.seed(seed)
    torch.default_generator.manual_seed(seed)


def _streams():
    return [random.random(), float(numpy.random.random()), float(torch.rand((), dtype=torch.float64))]
