"""Takes the lengths out of the list one by one."""

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
    order = []
    while len(order) < len(lengths):
        shortest = min(length for length in lengths if length is not None)
        order.append(lengths.index(shortest))
        lengths[order[-1]] = None
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
    real = sum(mask.sum().item() for mask in masks)
    return 1 - real / cells if cells else 0.0
