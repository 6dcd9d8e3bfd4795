"""The example of the statement: one weight, 0.5, one epoch."""

from judge.kit import expect_close


def test_example(learner):
    """The weight of the example moves from 0.5 to 0.5795"""
    got = learner.worked_example()
    expect_close(got["weight"], 0.5795, "The weight ends at {got:.6g}, not at {expected:.6g}.")


def test_losses_of_the_example(learner):
    """The example's losses are 3.7669 in training and 0.7073 in validation"""
    expect_close(
        learner.worked_example()["returned"],
        ([3.766875], [0.70728]),
        "One epoch gives two lists of one loss each: 3.7669 while training and 0.7073 on the validation sample.",
        rtol=1e-3,
    )
