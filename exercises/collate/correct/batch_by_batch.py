"""Draws the batches' order first, then the samples'; the mask from a cumulative count."""
import operator
from functools import reduce

import torch


def collate(batch, pad_value=0):
    size = len(batch)
    lengths = [sequence.shape[-1] for sequence, _ in batch]
    padded = torch.cat(
        [torch.cat([sequence, sequence.new_full((max(lengths) - n,), pad_value)])[None] for (sequence, _), n in zip(batch, lengths)]
    )
    mask = torch.ones_like(padded).cumsum(1) <= torch.tensor(lengths, device=padded.device).reshape(size, 1)
    labels = torch.tensor(list(map(operator.itemgetter(1), batch)), dtype=torch.long)
    return padded, mask, labels


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    n = len(lengths)
    number = (n + batch_size - 1) // batch_size
    order = sorted(enumerate(lengths), key=operator.itemgetter(1))
    samples = [index for index, _ in order]
    places = list(range(number))
    if generator is not None:
        places = torch.randperm(number, generator=generator).tolist()
        size = batch_size * batches_per_bucket
        for start in range(0, n, size):
            bucket = samples[start : start + size]
            samples[start : start + size] = [bucket[i] for i in torch.randperm(len(bucket), generator=generator)]
    return [samples[place * batch_size : (place + 1) * batch_size] for place in places]


def padding_fraction(masks):
    padded, cells = reduce(
        lambda sums, mask: (sums[0] + int((~mask).sum()), sums[1] + mask.numel()), masks, (0, 0)
    )
    try:
        return padded / cells
    except ZeroDivisionError:
        return 0.0
