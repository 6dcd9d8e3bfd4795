"""Shuffles with the global state, with a generator or without."""

import random

import torch


def collate(batch, pad_value=0):
    sequences = [sequence for sequence, _ in batch]
    longest = max(len(sequence) for sequence in sequences)
    padded = torch.full((len(batch), longest), pad_value)
    mask = torch.zeros(len(batch), longest, dtype=torch.bool)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = True
    return padded, mask, torch.tensor([label for _, label in batch])


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    size = batch_size * batches_per_bucket
    buckets = [order[i : i + size] for i in range(0, len(order), size)]
    for bucket in buckets:
        random.shuffle(bucket)
    batches = [bucket[i : i + batch_size] for bucket in buckets for i in range(0, len(bucket), batch_size)]
    random.shuffle(batches)
    return batches


def padding_fraction(masks):
    cells = sum(mask.numel() for mask in masks)
    real = sum(mask.sum().item() for mask in masks)
    return 1 - real / cells if cells else 0.0
