import torch


def collate(batch, pad_value=0):
    """(padded, mask, labels) of a list of (sequence, label) pairs."""
    raise NotImplementedError("collate is not written yet")


def bucket_batches(lengths, batch_size, generator=None, batches_per_bucket=1):
    """Lists of indices, one list a batch, whose sequences are about equally long."""
    raise NotImplementedError("bucket_batches is not written yet")


def padding_fraction(masks):
    """The share of padded cells among all cells of all batches, a float in [0, 1]."""
    raise NotImplementedError("padding_fraction is not written yet")
