"""The examples of the statement. The checks after submitting ask for more, with numbers drawn anew each time."""

import torch

from judge.kit import expect, expect_close


def test_example_batch(learner):
    """Three sequences become one padded batch"""
    batch = [(torch.tensor([5, 2, 0, 4]), 1), (torch.tensor([7]), 0), (torch.tensor([3, 3]), 1)]
    result = learner.collate(batches=[batch], device="cpu")["results"][0]
    expect(len(result) == 3, "`collate` must return three things: padded, mask and labels.")
    padded, mask, labels = result
    expect_close(
        padded,
        torch.tensor([[5, 2, 0, 4], [7, 0, 0, 0], [3, 3, 0, 0]]),
        "`padded` is not the table of the example: int64, one sequence a row, zeros on the right.",
    )
    expect_close(
        mask,
        torch.tensor([[True] * 4, [True, False, False, False], [True, True, False, False]]),
        "`mask` is not the one of the example: bool, True on the real tokens, also on the 0 in the first row.",
    )
    expect_close(labels, torch.tensor([1, 0, 1]), "`labels` must be the int64 tensor [1, 0, 1].")


def test_example_buckets(learner):
    """Seven samples become batches of about equal length"""
    lengths = [5, 1, 4, 2, 6, 3, 2]
    (batches,) = learner.in_order(calls=[{"lengths": lengths, "batch_size": 2}])
    expect_close(
        batches,
        [[1, 3], [6, 5], [2, 0], [4]],
        "For the lengths {lengths} and batch_size=2 the batches are [[1, 3], [6, 5], [2, 0], [4]]; yours are "
        "{batches}.",
        lengths=str(lengths),
        batches=str(batches),
    )


def test_example_fraction(learner):
    """21 padded cells of 204 are a fraction of 0.103"""
    large = torch.ones(2, 100, dtype=torch.bool)
    large[1, 80:] = False
    small = torch.tensor([[True, True], [True, False]])
    fraction = learner.padding_fraction(masks=[large, small], device="cpu")
    expect_close(
        fraction,
        21 / 204,
        "21 of 204 cells are padding, a fraction of {expected:.3f}; yours is {fraction}.",
        fraction=str(fraction),
    )
