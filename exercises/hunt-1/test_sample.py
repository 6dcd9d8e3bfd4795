"""The example of the statement: one weight, 0.5, and two batches."""

from judge.kit import expect_close


def test_example(learner):
    """The weight of the example moves from 0.5 to 0.64"""
    got = learner.worked_example()
    expect_close(
        got["weight"],
        0.64,
        "The weight ends at {got:.6g}, not at {expected:.6g}. By hand: the first gradient, -7.5, is clipped to -1.0; the "
        "second, -0.4, is short enough.",
    )


def test_history_of_the_example(learner):
    """The example's epoch has a loss of 3.7633 per sample"""
    expect_close(
        learner.worked_example()["returned"],
        [11.29 / 3],
        "One epoch gives a list of one loss: two samples at 5.625 on average and one at 0.04 are 3.7633 per sample.",
    )
