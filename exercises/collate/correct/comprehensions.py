"""Everything in comprehensions; rows as lists."""
import torch


def collate(batch, pad_value=0):
    width = max(len(tokens) for tokens, _ in batch)
    device = batch[0][0].device
    rows = [tokens.tolist() + [pad_value] * (width - len(tokens)) for tokens, _ in batch]
    marks = [[place < len(tokens) for place in range(width)] for tokens, _ in batch]
    return (
        torch.tensor(rows, dtype=torch.int64, device=device).view(len(batch), width),
        torch.tensor(marks, dtype=torch.bool, device=device).view(len(batch), width),
        torch.tensor([label for _, label in batch], dtype=torch.int64),
    )


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    permuted = lambda items: (
        items if generator is None else [items[i] for i in torch.randperm(len(items), generator=generator).tolist()]
    )
    order = [i for _, i in sorted(zip(lengths, range(len(lengths))))]
    size = batch_size * batches_per_bucket
    buckets = [permuted(order[i : i + size]) for i in range(0, len(order), size)]
    return permuted([bucket[i : i + batch_size] for bucket in buckets for i in range(0, len(bucket), batch_size)])


def padding_fraction(masks):
    cells = [real for mask in masks for real in mask.flatten().tolist()]
    return cells.count(False) / max(len(cells), 1)
