import torch

from judge.kit import expect_close


def test_example(learner):
    """An example: twice (1, 2, 3)"""
    got = learner.scale(x=torch.tensor([1.0, 2.0, 3.0]), factor=2.0)["result"]
    expect_close(got, torch.tensor([2.0, 4.0, 6.0]), "Twice (1, 2, 3) is (2, 4, 6).")
