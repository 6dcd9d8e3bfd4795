"""The example of the statement: one weight, 0.5, batches of one, three and one sample, two batches to an update."""

from judge.kit import expect, expect_close


def test_weight_of_the_example(learner):
    """The weight of the example ends at 0.94"""
    got = learner.worked_example()
    expect_close(
        got["weight"],
        0.94,
        "The weight ends at {got:.6g}, not at {expected:.6g}. By hand: the mean gradient of the first four samples is "
        "-2, which leads to 0.7; there the gradient of the last sample is -2.4.",
    )


def test_updates_of_the_example(learner):
    """The example makes 2 updates"""
    updates = learner.worked_example()["updates"]
    expect(
        type(updates) is int and updates == 2,
        "Three batches, two to an update: the optimizer steps after the second and, for the one that is left, after "
        "the third. `train_accumulated` must return 2.",
    )
