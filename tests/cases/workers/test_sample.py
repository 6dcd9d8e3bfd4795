import torch

from judge.kit import expect_close


def test_example(learner):
    """1 + 2 + 3 = 6"""
    expect_close(learner.answer(x=torch.tensor([1.0, 2.0, 3.0])), 6.0, "1 + 2 + 3 is 6, yours is {got}.")
