"""The example of the statement: one weight, 0.5, two epochs of one batch."""

from judge.kit import expect_close


def test_example(learner):
    """The weight of the example moves from 0.5 to 1.4375"""
    got = learner.worked_example()
    expect_close(got["weight"], 1.4375, "The weight ends at {got:.6g}, not at {expected:.6g}.")


def test_history_of_the_example(learner):
    """The example's history has the rates 0.1 and 0.05"""
    expect_close(
        learner.worked_example()["returned"],
        {"loss": [5.625, 1.40625], "rate": [0.1, 0.05]},
        "The history of the example has the losses 5.625 and 1.40625 and the rates 0.1 and 0.05.",
    )
