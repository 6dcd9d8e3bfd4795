"""All real cells written at once through the mask; sorting by keys drawn from the generator."""
import torch


def collate(batch, pad_value=0):
    tokens = torch.cat([s for s, _ in batch])
    lengths = torch.tensor([s.size(0) for s, _ in batch], device=tokens.device)
    mask = torch.arange(int(lengths.max()), device=tokens.device).expand(len(batch), -1) < lengths.unsqueeze(1)
    padded = tokens.new_full(mask.shape, pad_value)
    padded[mask] = tokens
    return padded, mask, torch.tensor([y for _, y in batch])


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    count = len(lengths)
    if count == 0:
        return []
    by_length = torch.argsort(torch.tensor(lengths), stable=True).tolist()
    bucket_of = [rank // (batch_size * batches_per_bucket) for rank in range(count)]
    if generator is not None:
        keys = torch.rand(count, generator=generator, dtype=torch.float64).tolist()
        ranks = sorted(range(count), key=lambda rank: (bucket_of[rank], keys[rank]))
    else:
        ranks = range(count)
    batches = []
    for place, rank in enumerate(ranks):
        if place % batch_size == 0:
            batches.append([])
        batches[-1].append(by_length[rank])
    if generator is not None:
        keys = torch.rand(len(batches), generator=generator, dtype=torch.float64).tolist()
        batches = [batch for _, batch in sorted(zip(keys, batches))]
    return batches


def padding_fraction(masks):
    fraction = 0.0
    cells = sum(mask.nelement() for mask in masks)
    for mask in masks:
        fraction += torch.count_nonzero(mask.logical_not()).item() / cells if cells else 0
    return fraction
