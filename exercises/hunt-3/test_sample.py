"""The example of the statement: one weight, 0.5, and two batches."""

from judge.kit import expect_close


def test_example(learner):
    """The weight of the example moves from 0.5 to 0.64"""
    got = learner.worked_example()
    expect_close(got["weight"], 0.64, "The weight ends at {got:.6g}, not at {expected:.6g}.")


def test_log_of_the_example(learner):
    """The example's log has the losses 5.625 and 0.04, and the norms 7.5 and 0.4"""
    expect_close(
        learner.worked_example()["returned"],
        ([5.625, 0.04], [7.5, 0.4]),
        "The example has two steps: the losses are 5.625 and 0.04, the norms before clipping 7.5 and 0.4.",
    )
