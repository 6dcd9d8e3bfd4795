"""One permutation for all full buckets, and the batches sampled without putting back."""
import torch


def collate(batch, pad_value=0):
    sequences, labels = [list(column) for column in zip(*batch)]
    lengths = torch.tensor([len(s) for s in sequences])
    width = int(lengths.max())
    mask = torch.zeros(len(batch), width + 1, dtype=torch.bool)
    mask[torch.arange(len(batch)), lengths] = True
    mask = ~mask.cummax(1).values[:, :width]
    padded = torch.full((len(batch), width), pad_value, dtype=torch.int64)
    padded.masked_scatter_(mask, torch.cat(sequences))
    return padded.to(sequences[0].device), mask.to(sequences[0].device), torch.tensor(labels)


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    size = batch_size * batches_per_bucket
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    buckets = [order[i : i + size] for i in range(0, len(order), size)]
    if generator is not None and buckets:
        shared = torch.randperm(size, generator=generator).tolist()
        buckets = [[bucket[i] for i in shared if i < len(bucket)] for bucket in buckets]
    batches = [bucket[i : i + batch_size] for bucket in buckets for i in range(0, len(bucket), batch_size)]
    if generator is not None and batches:
        drawn = torch.multinomial(torch.ones(len(batches)), len(batches), replacement=False, generator=generator)
        batches = [batches[i] for i in drawn.tolist()]
    return batches


def padding_fraction(masks):
    sizes = torch.tensor([[int(mask.sum()), mask.numel()] for mask in masks]).reshape(-1, 2).sum(0)
    real, cells = sizes.tolist()
    return 0.0 if cells == 0 else (cells - real) / cells
