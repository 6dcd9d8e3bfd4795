"""The example of the statement. The checks after submitting ask for more, with numbers drawn anew each time."""

import torch

from judge.kit import expect, expect_close

EXAMPLE = {"sequences": [[5, 2, 9], [7], []], "labels": [1, 0, 1]}


def test_example_length(learner):
    """Three sequences make a dataset of length 3"""
    got = learner.length(**EXAMPLE)["length"]
    expect_close(got, 3, "Three sequences make a dataset of length 3; `len` says {got}.")


def test_example_items(learner):
    """The samples of the example come with their labels"""
    answers = learner.read(indices=[0, 1, 2, -1], **EXAMPLE)
    rights = [([5, 2, 9], 1), ([7], 0), ([], 1), ([], 1)]
    for index, answer, (ids, label) in zip([0, 1, 2, -1], answers, rights, strict=True):
        expect_close(
            answer.get("item"),
            [torch.tensor(ids, dtype=torch.int64), label],
            "`ds[{index}]` must be an int64 tensor with the ids {ids}, and the label {label}.",
            index=index,
            ids=str(ids),
            label=label,
        )


def test_example_outside(learner):
    """There is no fourth sample"""
    (answer,) = learner.read(indices=[3], **EXAMPLE)
    expect("IndexError" in answer.get("raised", []), "`ds[3]` of three samples must raise IndexError.")
