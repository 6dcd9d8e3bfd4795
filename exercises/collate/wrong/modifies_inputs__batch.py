"""Takes the samples out of the batch one by one."""

import torch


def collate(batch, pad_value=0):
    longest = max(len(sequence) for sequence, _ in batch)
    rows, marks, labels = [], [], []
    while batch:
        sequence, label = batch.pop(0)
        gap = longest - len(sequence)
        rows.append(torch.nn.functional.pad(sequence, (0, gap), value=pad_value))
        marks.append(torch.tensor([True] * len(sequence) + [False] * gap, dtype=torch.bool))
        labels.append(label)
    return torch.stack(rows), torch.stack(marks), torch.tensor(labels)


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
