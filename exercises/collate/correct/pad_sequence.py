"""torch's own padding, and an arange compared with the lengths."""
import torch
from torch.nn.utils.rnn import pad_sequence


def collate(batch, pad_value=0):
    sequences, labels = zip(*batch)
    lengths = torch.tensor([s.shape[0] for s in sequences], device=sequences[0].device)
    padded = pad_sequence(list(sequences), batch_first=True, padding_value=pad_value)
    mask = torch.arange(padded.shape[1], device=padded.device)[None, :] < lengths[:, None]
    return padded, mask, torch.as_tensor(labels)


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    order = torch.sort(torch.tensor(lengths), stable=True).indices
    batches = []
    for bucket in order.split(batch_size * batches_per_bucket):
        if generator is not None:
            bucket = bucket[torch.rand(len(bucket), generator=generator).argsort()]
        batches.extend(chunk.tolist() for chunk in bucket.split(batch_size) if len(chunk))
    if generator is not None and batches:
        batches = [batches[i] for i in torch.rand(len(batches), generator=generator).argsort().tolist()]
    return batches


def padding_fraction(masks):
    if not masks:
        return 0.0
    flat = torch.cat([m.reshape(-1) for m in masks])
    return (~flat).sum().item() / flat.numel() if flat.numel() else 0.0
