"""Plain loops, one cell after another."""
import torch


def collate(batch, pad_value=0):
    longest = 0
    for sequence, label in batch:
        if len(sequence) > longest:
            longest = len(sequence)
    padded = torch.empty(len(batch), longest, dtype=torch.long)
    mask = torch.empty(len(batch), longest, dtype=torch.bool)
    labels = torch.empty(len(batch), dtype=torch.long)
    for i in range(len(batch)):
        sequence, label = batch[i]
        labels[i] = label
        for j in range(longest):
            if j < len(sequence):
                padded[i, j] = sequence[j]
                mask[i, j] = True
            else:
                padded[i, j] = pad_value
                mask[i, j] = False
    return padded, mask, labels


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    order = list(range(len(lengths)))
    order.sort(key=lambda i: (lengths[i], i))
    batches = []
    start = 0
    while start < len(order):
        bucket = order[start:start + batch_size * batches_per_bucket]
        if generator is not None:
            # Fisher-Yates
            for i in range(len(bucket) - 1, 0, -1):
                j = int(torch.randint(0, i + 1, (1,), generator=generator))
                bucket[i], bucket[j] = bucket[j], bucket[i]
        batch = []
        for index in bucket:
            batch.append(index)
            if len(batch) == batch_size:
                batches.append(batch)
                batch = []
        if batch:
            batches.append(batch)
        start += batch_size * batches_per_bucket
    if generator is not None:
        for i in range(len(batches) - 1, 0, -1):
            j = int(torch.randint(0, i + 1, (1,), generator=generator))
            batches[i], batches[j] = batches[j], batches[i]
    return batches


def padding_fraction(masks):
    padded = 0
    cells = 0
    for mask in masks:
        for row in mask.tolist():
            for real in row:
                cells += 1
                if not real:
                    padded += 1
    if cells == 0:
        return 0.0
    return padded / cells
