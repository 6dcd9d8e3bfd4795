"""The example of the statement: one weight, 0.5, and two batches."""

from judge.kit import expect_close


def test_example(learner):
    """The weight of the example moves from 0.5 to 0.64"""
    got = learner.worked_example()
    expect_close(got["weight"], 0.64, "The weight ends at {got:.6g}, not at {expected:.6g}.")


def test_history_of_the_example(learner):
    """The example's history has a loss of 3.7633 and a largest norm of 7.5"""
    expect_close(
        learner.worked_example()["returned"],
        {"loss": [11.29 / 3], "largest_norm": [7.5]},
        "The example is one epoch: its loss is 3.7633 per sample, and the larger of its two norms is 7.5.",
    )
