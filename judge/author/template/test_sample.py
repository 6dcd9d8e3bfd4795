"""What the learner sees of the checks: the example of the statement."""

import torch

from judge.kit import expect_close


def test_example(learner):
    """The example of the statement comes out"""
    got = learner.standardised(x=torch.tensor([[1.0, 10.0], [3.0, 30.0]]))
    expected = torch.tensor([[-1.0, -1.0], [1.0, 1.0]])
    expect_close(got["answer"], expected, "For [[1, 10], [3, 30]] the answer is [[-1, -1], [1, 1]].")
