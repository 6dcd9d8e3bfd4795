"""The example of the statement: one weight, 0.5, and two batches."""

from judge.kit import expect, expect_close


def test_weight_of_the_example(learner):
    """The weight of the example ends at 0.64"""
    got = learner.worked_example()
    expect_close(
        got["weight"],
        0.64,
        "The weight ends at {got:.6g}, not at {expected:.6g}. By hand: the first gradient, -7.5, is "
        "clipped to -1.0 and the second, -0.4, is short enough.",
    )


def test_loss_of_the_example(learner):
    """The loss of the example is 3.7633 per sample"""
    got = learner.worked_example()
    expect(isinstance(got["loss"], float), "The mean loss must come back as a Python float.")
    expect_close(
        got["loss"],
        11.29 / 3,
        "The loss is {got:.6g}, not {expected:.6g}. By hand: two samples at 5.625 on average, one at 0.04, "
        "over three samples.",
    )
