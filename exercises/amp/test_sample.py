"""The example of the statement: one weight, 0.5, and two batches."""

from judge.kit import expect, expect_close


def test_first_step_of_the_example(learner):
    """The first step brings the weight to 0.6, with a loss of 5.625"""
    first = learner.worked_example()["steps"][0]
    expect_close(
        first["weight"],
        0.6,
        "The weight is {got:.6g} after the first step, not {expected:.6g}. By hand: backward leaves -7680, unscaled "
        "that is -7.5, clipped -1.0.",
    )
    expect(
        isinstance(first["loss"], float) and isinstance(first["stepped"], bool),
        "A pair of a Python float and a bool must come back: the loss, and whether the optimizer stepped.",
    )
    expect_close(first["loss"], 5.625, "The loss that came back is {got:.6g}, not {expected:.6g}.")
    expect(first["stepped"], "The first step was made, but what came back says that it was not.")


def test_skipped_step_of_the_example(learner):
    """The second step is skipped: the weight stays at 0.6 and the scale comes down to 512"""
    second = learner.worked_example()["steps"][1]
    expect_close(
        second["weight"],
        0.6,
        "The second batch has an infinite gradient, and after it the weight is {got:.6g}, not {expected:.6g}. The "
        "scaler leaves such a step out.",
    )
    expect_close(
        second["scale"],
        512.0,
        "After the skipped step the scale is {got:g}, not {expected:g}: `update` halves it.",
    )
    expect(second["stepped"] is False, "The second step was skipped, but what came back does not say so.")
