"""Asks each token, in plain lists."""

import torch


def collate(batch, pad_value=0):
    width = max(len(s) for s, _ in batch)
    rows, marks = [], []
    for sequence, _ in batch:
        tokens = sequence.tolist()
        gap = width - len(tokens)
        rows.append(tokens + [pad_value] * gap)
        marks.append([token != pad_value for token in tokens] + [False] * gap)
    shape = (len(batch), width)
    return (
        torch.tensor(rows, dtype=torch.int64).reshape(shape),
        torch.tensor(marks, dtype=torch.bool).reshape(shape),
        torch.tensor([label for _, label in batch]),
    )


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
    real = sum(mask.sum().item() for mask in masks)
    return 1 - real / cells if cells else 0.0
