"""A time-first pad_sequence turned round (so nothing is contiguous), and a named tuple."""
from collections import namedtuple
from itertools import islice

import torch
from torch.nn.utils.rnn import pad_sequence

Batch = namedtuple("Batch", "padded mask labels")


def collate(batch, pad_value=0):
    sequences = [s for s, _ in batch]
    padded = pad_sequence(sequences, padding_value=pad_value).t()
    mask = pad_sequence([torch.full_like(s, True, dtype=torch.bool) for s in sequences]).t()
    print("collated", tuple(padded.shape))
    return Batch(padded, mask, torch.stack([torch.tensor(label) for _, label in batch]))


def chunks(iterable, size):
    iterator = iter(iterable)
    while chunk := list(islice(iterator, size)):
        yield chunk


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    batches = []
    for bucket in chunks(order, batch_size * batches_per_bucket):
        if generator is not None:
            bucket = list(torch.utils.data.SubsetRandomSampler(bucket, generator=generator))
        batches.extend(chunks(bucket, batch_size))
    if generator is not None:
        batches = list(torch.utils.data.SubsetRandomSampler(batches, generator=generator))
    return batches


def padding_fraction(masks):
    real = torch.tensor([m.sum() for m in masks], dtype=torch.float32).sum()
    cells = torch.tensor([m.numel() for m in masks], dtype=torch.float32).sum()
    return ((cells - real) / cells).item() if cells > 0 else 0.0
