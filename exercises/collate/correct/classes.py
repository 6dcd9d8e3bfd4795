"""Instances instead of functions, lists of one's own kind, and a generator forked for a private stream."""
import torch


class Indices(list):
    pass


class Share(float):
    pass


class Collate:
    def __call__(self, batch, pad_value=0):
        sequences, labels = map(list, zip(*batch))
        width = max(map(len, sequences))
        padded = sequences[0].new_full((len(batch), width), pad_value)
        mask = torch.zeros(padded.shape, dtype=torch.bool, device=padded.device)
        for row, marks, sequence in zip(padded, mask, sequences):
            row[: len(sequence)].copy_(sequence)
            marks[: len(sequence)].fill_(True)
        return padded, mask, torch.tensor(labels, device=padded.device)


class BucketBatches:
    def __call__(self, lengths, batch_size, generator=None, batches_per_bucket=1):
        order = Indices(sorted(range(len(lengths)), key=lambda index: lengths[index]))
        stream = None
        if generator is not None:
            stream = torch.Generator()
            stream.manual_seed(int(torch.empty((), dtype=torch.int64).random_(generator=generator)))
        size = batches_per_bucket * batch_size
        batches = Indices()
        for bucket in (order[k : k + size] for k in range(0, len(order), size)):
            self.shuffle(bucket, stream)
            batches += [Indices(bucket[k : k + batch_size]) for k in range(0, len(bucket), batch_size)]
        self.shuffle(batches, stream)
        return batches

    @staticmethod
    def shuffle(items, stream):
        if stream is None:
            return
        remaining = list(items)
        for place in range(len(items)):
            items[place] = remaining.pop(torch.randint(len(remaining), (), generator=stream).item())


collate = Collate()
bucket_batches = BucketBatches()


def padding_fraction(masks):
    cells = sum(mask.numel() for mask in masks)
    return Share(sum((mask == False).sum().item() for mask in masks) / cells) if cells else Share()
