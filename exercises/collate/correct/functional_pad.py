"""Pads each sequence by itself and stacks; draws a seed from the generator for Python's shuffle."""
import random

import torch
import torch.nn.functional as F


def collate(batch, pad_value=0):
    longest = max(s.numel() for s, _ in batch)
    padded = torch.stack([F.pad(s, (0, longest - s.numel()), value=pad_value) for s, _ in batch])
    mask = torch.stack([F.pad(torch.ones_like(s, dtype=torch.bool), (0, longest - s.numel())) for s, _ in batch])
    labels = torch.LongTensor([y for _, y in batch])
    return [padded, mask, labels]


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    indices = sorted(range(len(lengths)), key=lengths.__getitem__)
    rng = None
    if generator is not None:
        rng = random.Random(torch.randint(0, 2**62, (), generator=generator).item())
    step = batches_per_bucket * batch_size
    result = []
    for left in range(0, len(indices), step):
        bucket = indices[left : left + step]
        if rng:
            rng.shuffle(bucket)
        while bucket:
            result.append(bucket[:batch_size])
            bucket = bucket[batch_size:]
    if rng:
        rng.shuffle(result)
    return result


def padding_fraction(masks):
    total = sum(m.numel() for m in masks)
    if not total:
        return 0.0
    return 1.0 - sum(m.sum() for m in masks).item() / total
