"""Padding, masks and length buckets."""

import torch


def collate(batch, pad_value=0):
    """Lay the sequences of `batch` side by side, padded on the right, and mark which cells are real."""
    sequences, labels = zip(*batch, strict=True)
    shape = (len(sequences), max(len(sequence) for sequence in sequences))
    padded = sequences[0].new_full(shape, pad_value)  # (B, T)
    mask = torch.zeros_like(padded, dtype=torch.bool)  # (B, T)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = True  # where a token stands makes it real, never its value
    return padded, mask, torch.tensor(labels, device=padded.device)


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    """Batches of indices whose sequences are about equally long."""
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])  # stable: ties stay in order
    batches = []
    for bucket in pieces(by_length, batches_per_bucket * batch_size):
        batches += pieces(shuffled(bucket, generator), batch_size)
    return shuffled(batches, generator)


def padding_fraction(masks):
    """The share of padded cells among all cells of all batches."""
    cells = sum(mask.numel() for mask in masks)
    real = sum(int(mask.sum()) for mask in masks)
    return (cells - real) / cells if cells else 0.0


def pieces(items, size):
    return [items[start : start + size] for start in range(0, len(items), size)]


def shuffled(items, generator):
    if generator is None:
        return items
    return [items[place] for place in torch.randperm(len(items), generator=generator).tolist()]
